"""Where a node stands, as a location that a reader can open."""

import ast
import re
from bisect import bisect_right

from torchdoctor.check import Location
from torchdoctor.source.lines import split_lines
from torchdoctor.source.source_file import SourceFile

_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.ClassDef)

_CELL = re.compile(r":(cell \d+)$")


def locate(source: SourceFile, node: ast.AST) -> Location:
    """Give a node's place, counted from 1; of a statement with a body, its first line.

    In a notebook, `path` names the cell ("train.ipynb:cell 3") and the lines count within it.
    """
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
    lines = split_lines(source.text)
    if isinstance(node, (*_BLOCKS, ast.FunctionDef, ast.AsyncFunctionDef)):
        end_line, end_column = line, len(lines[line - 1].encode("utf-8")) if line <= len(lines) else column
    path, offset = _cell(source, line)
    return Location(
        path,
        line - offset,
        _character(lines, line, column) + 1,
        end_line - offset,
        _character(lines, end_line, end_column) + 1,
    )


def leave_cell(location: Location) -> tuple[Location, str]:
    """Give a place for formats that know files and lines alone, and in words what they cannot say.

    The lines of a cell are not the lines of the notebook's file, whose first line then stands for it.
    """
    cell = _CELL.search(location.path)
    if cell is None:
        return location, ""
    return Location(location.path[: cell.start()], 1), f"{cell[1]}, line {location.line}: "


def _cell(source: SourceFile, line: int) -> tuple[str, int]:
    if not source.is_notebook:
        return source.path, 0
    index = max(0, bisect_right(source.cell_lines, line) - 1)
    return f"{source.path}:cell {source.cell_numbers[index]}", source.cell_lines[index] - 1


def _character(lines: list[str], line: int, byte_column: int) -> int:
    """Turn ast's column, which counts UTF-8 bytes, into one that counts characters."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    if text.isascii():
        return byte_column
    return len(text.encode("utf-8")[:byte_column].decode("utf-8", "replace"))
