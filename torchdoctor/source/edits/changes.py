"""Select, apply and verify the edits of a source file, and render the change as a diff."""

import ast
import difflib
import re
from collections.abc import Iterable, Sequence

from torchdoctor.check import Check, Edit, Finding, Replacement, Skip
from torchdoctor.core.record import record
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.lines import find_line_starts
from torchdoctor.source.source_file import SourceFile


@record
class Change:
    """The text of a file before and after its edits, and a description of each edit."""

    path: str
    before: str
    after: str
    descriptions: tuple[str, ...]

    def diff(self) -> str:
        """Return the change as a unified diff, or "" if nothing changes."""
        path = self.path.replace("\\", "/").lstrip("/")
        lines = difflib.unified_diff(
            _split_diff_lines(self.before), _split_diff_lines(self.after), f"a/{path}", f"b/{path}"
        )
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def plan_change(source: SourceFile, findings: Iterable[tuple[Check, Finding]]) -> Change | None:
    """Return the change made by the edits that can be applied together, or None if there are none.

    An edit is used only if the edited text parses and its check reports fewer findings than before.
    """
    text = source.text
    checks: list[Check] = []
    descriptions: list[str] = []
    replacements: list[Replacement] = []
    for check, finding in findings:
        edit = finding.edit
        if (
            edit is None
            or source.is_notebook
            or edit.path != source.path
            or _overlap(replacements, edit.replacements)
        ):
            continue
        parsed = parse_source(source.path, apply_replacements(text, edit.replacements).encode("utf-8"))
        if isinstance(parsed, SourceFile) and _count_findings(check, parsed) < _count_findings(check, source):
            checks.append(check)
            replacements += edit.replacements
            descriptions.append(edit.description)
    if not replacements:
        return None
    after = apply_replacements(text, replacements)
    parsed = parse_source(source.path, after.encode("utf-8"))
    if not isinstance(parsed, SourceFile) or any(
        _count_findings(check, parsed) >= _count_findings(check, source) for check in checks
    ):
        return None
    return Change(source.path, text, after, tuple(descriptions))


def apply_replacements(text: str, replacements: Iterable[Replacement]) -> str:
    """Return the text after its replacements, whose offsets count characters of the original text."""
    parts: list[str] = []
    end = len(text)
    # Of two insertions in one place, the later one comes first.
    for each in sorted(replacements, key=lambda replacement: replacement.start, reverse=True):
        parts += (text[each.end : end], each.text)
        end = each.start
    parts.append(text[:end])
    return "".join(reversed(parts))


def _count_findings(check: Check, source: SourceFile) -> int:
    try:
        return sum(isinstance(each, Finding) for each in check.function(source))
    except Skip:
        return 0


def _overlap(accepted: Sequence[Replacement], candidates: Sequence[Replacement]) -> bool:
    """Return whether two groups of replacements overlap or touch."""
    return any(a.start <= b.end and b.start <= a.end for a in accepted for b in candidates)


def _split_diff_lines(text: str) -> list[str]:
    """Split a text into lines for a diff; in a text with carriage returns, only "\\n" ends a line."""
    return text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+$", text)


def find_span(source: SourceFile, node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Return the offsets of a node's start and end in characters; ast counts UTF-8 bytes."""
    starts = find_line_starts(source.text)
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return (
        _character_offset(source, starts, node.lineno, node.col_offset),
        _character_offset(source, starts, end_line, end_column),
    )


def _character_offset(source: SourceFile, starts: Sequence[int], line: int, byte_column: int) -> int:
    start = starts[line - 1]
    end = starts[line] if line < len(starts) else len(source.text)
    return start + len(source.text[start:end].encode("utf-8")[:byte_column].decode("utf-8", "replace"))


def find_line_end(text: str) -> str:
    """Return the first line end of a text, "\\n" if it has none."""
    match = re.search(r"\r\n?|\n", text)
    return match[0] if match is not None else "\n"


def add_keyword(source: SourceFile, call: ast.Call, argument: str) -> Edit | None:
    """Return the edit that appends a keyword argument (`name=value`) to a call, or None in a notebook."""
    if source.is_notebook:
        return None
    _, end = find_span(source, call)
    values = [*call.args, *(each.value for each in call.keywords)]
    values_end = max((find_span(source, value)[1] for value in values), default=end - 1)
    after_values = re.sub(r"#[^\r\n]*", "", source.text[values_end : end - 1])
    has_trailing_comma = "," in after_values
    # The closing parenthesis on a line of its own, with its indentation.
    closing_line = re.search(r"(?:\r\n?|\n)([ \t]*)\Z", source.text[: end - 1])
    if has_trailing_comma and closing_line is not None:
        text = f"    {argument},{find_line_end(source.text)}{closing_line[1]}"
    elif has_trailing_comma:
        text = argument if after_values.endswith(" ") else f" {argument}"
    else:
        text = f", {argument}" if values else argument
    return Edit(source.path, f"pass {argument}", (Replacement(end - 1, end - 1, text),))
