"""Indent statements, and put one under a condition, without changing the strings in it."""

import ast
import io
import tokenize
from collections import Counter
from functools import lru_cache

from torchdoctor.check import Replacement
from torchdoctor.source.edits.changes import find_line_end
from torchdoctor.source.lines import find_line_starts, split_lines
from torchdoctor.source.module.nodes import FUNCTIONS
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

# Any other is a slip in a file.
_INDENTS = ("\t", " " * 2, " " * 3, " " * 4, " " * 8)


def indent_lines(source: SourceFile, first: int, last: int) -> list[Replacement] | None:
    """Return the replacements that indent lines once more, or None if the text cannot be tokenized.

    The numbers of the lines count from 1. Blank lines and lines that begin inside a string stay as they are,
    but for docstrings, whose indentation is that of their function.
    """
    starts, lines = find_line_starts(source.text), split_lines(source.text)
    in_strings = find_lines_in_strings(source.text)
    if in_strings is None:
        return None
    fixed = in_strings - source.module.ask_once(_find_docstring_lines)
    numbers = [number for number in range(first, last + 1) if number not in fixed]
    is_tabbed = any(lines[number - 1].startswith("\t") for number in numbers)
    indent = "\t" if is_tabbed else find_indent(source).replace("\t", "    ")
    return [
        Replacement(starts[number - 1], starts[number - 1], indent)
        for number in numbers
        if lines[number - 1].strip()
    ]


def find_indent(source: SourceFile) -> str:
    """Return what most blocks at the top level of a file are indented with, four spaces without any."""
    return source.module.ask_once(_find_indent, source.text)


def _find_indent(module: ParsedModule, text: str) -> str:
    lines = split_lines(text)
    bodies = (body for each in module.tree.body if isinstance(body := getattr(each, "body", None), list))
    starts = (lines[body[0].lineno - 1][: body[0].col_offset] for body in bodies if body)
    indents = Counter(each for each in starts if each in _INDENTS)
    return indents.most_common(1)[0][0] if indents else "    "


def _find_docstring_lines(module: ParsedModule) -> frozenset[int]:
    """Return the numbers of the lines that begin inside a docstring of a function.

    There are none where the module reads docstrings.
    """
    attributes = module.nodes.get(ast.Attribute, ())
    if any(isinstance(each, ast.Attribute) and each.attr == "__doc__" for each in attributes):
        return frozenset()
    functions = (each for kind in FUNCTIONS for each in module.nodes.get(kind, ()))
    return frozenset(
        line
        for function in functions
        if isinstance(function, FUNCTIONS) and ast.get_docstring(function, clean=False) is not None
        for line in range(function.body[0].lineno + 1, (function.body[0].end_lineno or 0) + 1)
    )


def find_comment_start(source: SourceFile, line: int, previous_end: int) -> int:
    """Return the number of the first of the comments directly above a line; the line itself without any.

    `previous_end` is the last line of the statement above. The comments at the start of a file are its own.
    """
    lines, first = split_lines(source.text), line
    while previous_end and first - 1 > previous_end and lines[first - 2].startswith("#"):
        first -= 1
    return first


def put_under_condition(source: SourceFile, statement: ast.stmt, condition: str) -> list[Replacement] | None:
    """Return the replacements that run a statement only under a condition, or None if that is not safe.

    The statement has to fill its lines: nothing but a comment is beside it.
    """
    lines, last = split_lines(source.text), statement.end_lineno or statement.lineno
    before = lines[statement.lineno - 1].encode("utf-8")[: statement.col_offset].decode("utf-8")
    after = lines[last - 1].encode("utf-8")[statement.end_col_offset or 0 :].decode("utf-8").strip()
    indented = indent_lines(source, statement.lineno, last)
    if before.strip() or (after and not after.startswith("#")) or not indented:
        return None
    head = f"{before}if {condition}:{find_line_end(source.text)}"
    return [Replacement(indented[0].start, indented[0].end, head + indented[0].text), *indented[1:]]


@lru_cache(maxsize=2)
def find_lines_in_strings(text: str) -> frozenset[int] | None:
    """Return the numbers of the lines that begin inside a string, whose indentation must not change.

    Return None if the text cannot be tokenized.
    """
    inside: set[int] = set()
    string_starts: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            name = tokenize.tok_name[token.type]
            if name in ("FSTRING_START", "TSTRING_START"):
                string_starts.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END"):
                inside.update(range(string_starts.pop() + 1, token.end[0] + 1))
            elif token.type == tokenize.STRING:
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError, IndexError):
        return None
    return frozenset(inside)
