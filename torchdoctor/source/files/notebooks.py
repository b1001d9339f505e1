"""Reading the code cells of a notebook as one module."""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.files.unreadable import describe_failure

_MAGIC = re.compile(r"^(\s*)(?:[!%]|\?{1,2}\w)")
_ASSIGNED_MAGIC = re.compile(r"^(\s*[\w.,\s]*=\s*)[!%].*$")
_HELP_REQUEST = re.compile(r"^\s*[\w.]+\?{1,2}\s*$")
# Cell magics that are followed by Python code.
_PYTHON_MAGICS = (
    *("%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%wandb"),
    *("%%python", "%%python3", "%%script python", "%%script python3"),
)
# IPython takes such a line for a magic whose sign was left out.
_AUTOMAGIC = re.compile(
    r"^(?:pip3?|conda|mamba|micromamba|uv|cd|ls|mkdir|cp|mv|cat|rm)(?: [^=(\n]*)?$", re.MULTILINE
)
# So many of the cells that cannot be parsed are named.
_MOST_NAMED = 3


class NotebookError(ValueError):
    """A file is not a notebook; the message is one line."""


@record
class Cells:
    """The joined source of a notebook's code cells, and the first line and the number of each cell.

    `unread` says which of the cells are left out, and why.
    """

    text: str
    lines: tuple[int, ...]
    numbers: tuple[int, ...]
    unread: str | None = None


def load_cells(raw: bytes) -> Sequence[object]:
    """Return the cells of a notebook, as they stand in its JSON.

    Raises:
        NotebookError: the bytes are not a notebook.
    """
    if not raw.strip():
        raise NotebookError("not a notebook: it is empty")
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
    except json.JSONDecodeError as error:
        raise NotebookError(
            f"not a notebook: its JSON breaks off or is damaged in line {error.lineno}"
        ) from error
    except UnicodeDecodeError as error:
        raise NotebookError("not a notebook: it is not UTF-8") from error
    except RecursionError as error:
        raise NotebookError("not a notebook: its JSON is nested too deeply") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise NotebookError("not a notebook: it has no list of cells") from error
    if not isinstance(cells, list) or (cells and not any(isinstance(cell, dict) for cell in cells)):
        raise NotebookError("not a notebook: it has no cells")
    return cells


def list_sources(cells: Sequence[object]) -> Iterator[tuple[int, str]]:
    """Yield the number and the source of each code cell, where all cells count from 1."""
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            yield number, _read_source(cell)


def read_cells(cells: Sequence[object]) -> Cells:
    """Join the code cells of a notebook; magics, and cells that are not valid Python, are blanked."""
    texts, lines, numbers, unread = [], [], [], []
    line = 1
    for number, source in list_sources(cells):
        text = _blank_magics(source)
        error = _find_error(text)
        if error is not None and _find_error(without := _AUTOMAGIC.sub("pass", text)) is None:
            text = without
        elif error is not None:
            unread.append(f"cell {number}: {describe_failure(error)}")
            text = _blank(source)
        texts.append(text)
        lines.append(line)
        numbers.append(number)
        line += text.count("\n") + 1
    return Cells("\n".join(texts) + "\n", tuple(lines), tuple(numbers), _join_unread(unread))


def _find_error(text: str) -> Exception | None:
    """Return why a text is no Python code; None if it is."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error
    return None


def _join_unread(unread: Sequence[str]) -> str | None:
    more = len(unread) - _MOST_NAMED
    end = [f"and {more} more cell{'s' if more > 1 else ''}"] if more > 0 else []
    return "; ".join([*unread[:_MOST_NAMED], *end]) or None


def _read_source(cell: Mapping[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    # What is no text is left out; the other cells are read.
    lines = source if isinstance(source, list) else [source]
    text = "".join(line for line in lines if isinstance(line, str))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _blank(cell: str) -> str:
    """Return as many empty lines as the cell has."""
    return "\n" * cell.count("\n")


def _blank_magics(cell: str) -> str:
    """Return the cell without magics, with as many lines; a cell in another language is blank."""
    start = cell.lstrip()
    if start.startswith("%%") and not start.startswith(_PYTHON_MAGICS):
        return _blank(cell)
    return "\n".join(_replace_magics(cell.split("\n")))


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
