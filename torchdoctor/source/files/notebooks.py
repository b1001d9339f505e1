"""The code cells of a notebook, as one module whose lines can be traced back to their cells."""

import ast
import json
import re

from torchdoctor.core.record import record

_MAGIC = re.compile(r"^(\s*)(?:[!%]|\?{1,2}\w)")
_ASSIGNED = re.compile(r"^(\s*[\w.,\s]*=\s*)[!%].*$")
_HELP = re.compile(r"^\s*[\w.]+\?{1,2}\s*$")
# Cell magics after which the cell still holds Python.
_PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit")


class NotebookError(ValueError):
    """A file is no notebook; the message is one line."""


@record
class Cells:
    """The joined source of a notebook's code cells, with the first line and the number of each."""

    text: str
    lines: tuple[int, ...]
    numbers: tuple[int, ...]


def read_cells(raw: bytes) -> Cells:
    """Join the Python code cells of a notebook, without magics and cells that do not parse.

    Raises:
        NotebookError: the bytes are no notebook.
    """
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        sources = [
            (number, _source(cell)) for number, cell in enumerate(cells, 1) if cell["cell_type"] == "code"
        ]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise NotebookError(f"not a notebook: {type(error).__name__}") from error
    texts, lines, numbers, line = [], [], [], 1
    for number, source in sources:
        text = _python_of(source)
        texts.append(text)
        lines.append(line)
        numbers.append(number)
        line += text.count("\n") + 1
    return Cells("\n".join(texts) + "\n", tuple(lines), tuple(numbers))


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    text = "".join(source) if isinstance(source, list) else str(source)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")


def _python_of(cell: str) -> str:
    lines = cell.split("\n")
    first = cell.lstrip()
    if first.startswith("%%") and not first.startswith(_PYTHON_CELLS):
        return "\n" * (len(lines) - 1)
    text = "\n".join(_without_magics(lines))
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "\n" * (len(lines) - 1)
    return text


def _without_magics(lines: list[str]) -> list[str]:
    kept, continued = [], False
    for line in lines:
        magic = _MAGIC.match(line)
        if continued:
            kept.append("")
        elif magic or _HELP.match(line):
            kept.append(f"{magic[1]}pass" if magic else "")
        else:
            kept.append(_ASSIGNED.sub(r"\1None", line))
            continue
        continued = line.rstrip().endswith("\\")
    return kept
