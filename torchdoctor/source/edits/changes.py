"""Edits of source text: chosen, applied, verified and shown as a diff."""

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
    """What edits make of a file: its text before and after, and what each edit did."""

    path: str
    before: str
    after: str
    descriptions: tuple[str, ...]

    def diff(self) -> str:
        """Give the change as a unified diff; empty when nothing changes."""
        path = self.path.replace("\\", "/").lstrip("/")
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), f"a/{path}", f"b/{path}")
        marked = (
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )
        return "".join(marked)


def plan_change(source: SourceFile, findings: Iterable[tuple[Check, Finding]]) -> Change | None:
    """Choose the edits that can be made together and take their findings away; None when there is none.

    Each edit is tried: the result must parse, and its check must find less than before.
    """
    text, chosen, described = source.text, [], []
    taken: list[Replacement] = []
    for check, finding in findings:
        edit = finding.edit
        if (
            edit is None
            or source.is_notebook
            or edit.path != source.path
            or _overlap(taken, edit.replacements)
        ):
            continue
        parsed = parse_source(source.path, apply_replacements(text, edit.replacements).encode("utf-8"))
        if isinstance(parsed, SourceFile) and _count(check, parsed) < _count(check, source):
            chosen.append(check)
            taken += edit.replacements
            described.append(edit.description)
    if not taken:
        return None
    after = apply_replacements(text, taken)
    parsed = parse_source(source.path, after.encode("utf-8"))
    if not isinstance(parsed, SourceFile) or any(
        _count(each, parsed) >= _count(each, source) for each in chosen
    ):
        return None
    return Change(source.path, text, after, tuple(described))


def apply_replacements(text: str, replacements: Iterable[Replacement]) -> str:
    """Replace parts of a text, given by offsets in characters; the rest stays as it is."""
    for each in sorted(replacements, key=lambda replacement: replacement.start, reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def _count(check: Check, source: SourceFile) -> int:
    try:
        return sum(isinstance(each, Finding) for each in check.function(source))
    except Skip:
        return 0


def _overlap(taken: Sequence[Replacement], more: Sequence[Replacement]) -> bool:
    return any(a.start <= b.end and b.start <= a.end for a in taken for b in more)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+$", text)


def find_span(source: SourceFile, node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Give the offsets in characters at which a node begins and ends; ast counts UTF-8 bytes."""
    starts = find_line_starts(source.text)
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return _offset(source, starts, node.lineno, node.col_offset), _offset(
        source, starts, end_line, end_column
    )


def _offset(source: SourceFile, starts: list[int], line: int, byte_column: int) -> int:
    start = starts[line - 1]
    end = starts[line] if line < len(starts) else len(source.text)
    return start + len(source.text[start:end].encode("utf-8")[:byte_column].decode("utf-8", "replace"))


def line_end(text: str) -> str:
    """Give the line end that a text uses."""
    found = re.search(r"\r\n?|\n", text)
    return found[0] if found is not None else "\n"


def add_keyword(source: SourceFile, call: ast.Call, written: str, description: str = "") -> Edit | None:
    """Make an edit that adds a keyword argument at the end of a call."""
    if source.is_notebook:
        return None
    _, end = find_span(source, call)
    values = [*call.args, *(each.value for each in call.keywords)]
    last = max((find_span(source, each)[1] for each in values), default=end - 1)
    between = re.sub(r"#[^\r\n]*", "", source.text[last : end - 1])
    text = written if not values or "," in between else f", {written}"
    alone = re.search(r"(?:\r\n?|\n)([ \t]*)\Z", source.text[: end - 1])
    if alone is not None and "," in between:
        text = f"    {written},{line_end(source.text)}{alone[1]}"
    elif "," in between and not between.endswith(" "):
        text = f" {written}"
    replacement = Replacement(end - 1, end - 1, text)
    return Edit(source.path, description or f"pass {written}", (replacement,))
