"""Reading the code cells of a notebook as one module."""

import ast
import json
import re

from torchdoctor.core.record import record

_MAGIC = re.compile(r"^(\s*)(?:[!%]|\?{1,2}\w)")
_ASSIGNED_MAGIC = re.compile(r"^(\s*[\w.,\s]*=\s*)[!%].*$")
_HELP_REQUEST = re.compile(r"^\s*[\w.]+\?{1,2}\s*$")
# Cell magics that are followed by Python code.
_PYTHON_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit")


class NotebookError(ValueError):
    """A file is not a notebook; the message is one line."""


@record
class Cells:
    """The joined source of a notebook's code cells, and the first line and the number of each cell."""

    text: str
    lines: tuple[int, ...]
    numbers: tuple[int, ...]


def read_cells(raw: bytes) -> Cells:
    """Join the code cells of a notebook; magics, and cells that are not valid Python, are blanked.

    Raises:
        NotebookError: the bytes are not a notebook.
    """
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        sources = [
            (number, _read_source(cell))
            for number, cell in enumerate(cells, 1)
            if isinstance(cell, dict) and cell.get("cell_type") == "code"
        ]
    except json.JSONDecodeError as error:
        raise NotebookError(
            f"not a notebook: its JSON breaks off or is damaged in line {error.lineno}"
        ) from error
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise NotebookError(f"not a notebook: {type(error).__name__}") from error
    if cells and not any(isinstance(cell, dict) for cell in cells):
        raise NotebookError("not a notebook: it has no cells")
    texts, lines, numbers = [], [], []
    line = 1
    for number, source in sources:
        text = _find_python(source)
        texts.append(text)
        lines.append(line)
        numbers.append(number)
        line += text.count("\n") + 1
    return Cells("\n".join(texts) + "\n", tuple(lines), tuple(numbers))


def _read_source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    # What is no text is left out; the other cells are read.
    lines = source if isinstance(source, list) else [source]
    text = "".join(line for line in lines if isinstance(line, str))
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")


def _find_python(cell: str) -> str:
    """Return the Python code of a cell, with as many lines as the cell has."""
    blank = "\n" * cell.count("\n")
    start = cell.lstrip()
    if start.startswith("%%") and not start.startswith(_PYTHON_MAGICS):
        return blank
    text = "\n".join(_replace_magics(cell.split("\n")))
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return blank
    return text


def _replace_magics(lines: list[str]) -> list[str]:
    """Replace magics with `pass`, or `None` in an assignment; blank help requests and continuation lines."""
    replaced = []
    continues_magic = False
    for line in lines:
        magic = _MAGIC.match(line)
        if continues_magic:
            replaced.append("")
        elif magic:
            replaced.append(f"{magic[1]}pass")
        elif _HELP_REQUEST.match(line):
            replaced.append("")
        else:
            replaced.append(_ASSIGNED_MAGIC.sub(r"\1None", line))
            continue
        continues_magic = line.rstrip().endswith("\\")
    return replaced
