"""The locations of syntax nodes and settings, as reports show them."""

import ast
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from torchdoctor.check import Location
from torchdoctor.source.lines import split_lines
from torchdoctor.source.source_file import ConfigFile, ConfigSetting, SourceFile

# So many other lines of a finding are named.
_MOST_LINES = 9
_BLOCKS = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.ClassDef,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
)


def locate(source: SourceFile, node: ast.AST) -> Location:
    """Return the location of a node; for a statement with a body, of its first line only.

    In a notebook, lines count from the start of the cell.
    """
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
    lines = split_lines(source.text)
    if isinstance(node, _BLOCKS):
        end_line = line
        end_column = len(lines[line - 1].encode("utf-8")) if line <= len(lines) else column
    cell, offset = _find_cell(source, line)
    return Location(
        source.path,
        line - offset,
        _count_characters(lines, line, column) + 1,
        end_line - offset,
        _count_characters(lines, end_line, end_column) + 1,
        cell,
    )


def locate_setting(configuration: ConfigFile, setting: ConfigSetting) -> Location:
    """Return the location of a setting."""
    return Location(configuration.path, setting.line, setting.column)


def name_other_lines(first: Location, others: Iterable[Location]) -> str:
    """Return the other lines of a finding as the end of its message; only those in the same cell."""
    lines = sorted({each.line for each in others if each.cell == first.cell} - {first.line})[:_MOST_LINES]
    return f" (also in line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))})" if lines else ""


def locate_without_cell(location: Location) -> tuple[Location, str]:
    """Return a location for formats that cannot name cells, and a prefix that names the cell for the message.

    A cell's lines are not lines of the notebook's file, so the location is the first line of that file.
    The prefix is "" outside notebooks.
    """
    if location.cell is None:
        return location, ""
    return Location(location.path, 1), f"cell {location.cell}, line {location.line}: "


def _find_cell(source: SourceFile, line: int) -> tuple[int | None, int]:
    """Return the number of the cell, and how many lines of `source.text` precede the cell."""
    if not source.is_notebook:
        return None, 0
    index = max(0, bisect_right(source.cell_lines, line) - 1)
    return source.cell_numbers[index], source.cell_lines[index] - 1


def _count_characters(lines: Sequence[str], line: int, byte_column: int) -> int:
    """Return how many characters precede a column of ast, which counts UTF-8 bytes."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    if text.isascii():
        return byte_column
    return len(text.encode("utf-8")[:byte_column].decode("utf-8", "replace"))
