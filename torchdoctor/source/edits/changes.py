"""Select, apply and verify the edits of a source file, and render the change as a diff."""

import ast
import bisect
import difflib
import io
import os
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from torchdoctor.check import Check, Edit, Finding, Replacement, Skip
from torchdoctor.core.record import record
from torchdoctor.source.files.reading import parse_text
from torchdoctor.source.lines import find_line_starts
from torchdoctor.source.source_file import SourceFile

# What finds the findings of a source, with their checks.
Finder = Callable[[SourceFile], Iterable[tuple[Check, Finding]]]
_CheckedEdit = tuple[Check, Edit]
# The offsets of a replacement, and whether it is a definition.
_Span = tuple[int, int, bool]
_FAR = 1 << 62
# What stands in a quoted name of a diff as it is.
_PLAIN = frozenset(string.ascii_letters + string.digits + string.punctuation + " ") - {'"', "\\"}
_MOST_ROUNDS = 10


@record
class Change:
    """The text of a file before and after its edits, and a description of each edit."""

    path: str
    before: str
    after: str
    descriptions: tuple[str, ...]
    encoding: str = "utf-8"

    def diff(self) -> bytes:
        """Return the change as a unified diff of the file's bytes, or b"" if nothing changes."""
        path = self.path.replace("\\", "/").lstrip("/") if os.sep == "\\" else self.path.lstrip("/")
        # As for Git and patch, only "\n" ends a line.
        before, after = (io.BytesIO(text.encode(self.encoding)) for text in (self.before, self.after))
        old, new = _quote_name(f"a/{path}").encode(), _quote_name(f"b/{path}").encode()
        lines = difflib.diff_bytes(difflib.unified_diff, before.readlines(), after.readlines(), old, new)
        return b"".join(
            line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines
        )


def plan_change(source: SourceFile, find: Finder) -> Change | None:
    """Return the change made by the edits of all findings, or None if there is none.

    `find` returns the findings of a source with their checks. An edit can make room for another one, such as
    that of a lambda for the guard around it, so this is repeated on the changed text.
    """
    current, descriptions = source, list[str]()
    for _ in range(_MOST_ROUNDS):
        chosen = _choose_compatible(current, find(current))
        before = _count_each(current, chosen)
        edits, changed = _find_working(current, chosen, before)
        if changed is None:
            break
        current = changed
        descriptions += [edit.description for _, edit in edits]
    if not descriptions:
        return None
    return Change(source.path, source.text, current.text, tuple(descriptions), source.encoding)


def try_edit(source: SourceFile, check: Check, finding: Finding) -> bool:
    """Return whether the edit of a finding removes it."""
    chosen = _choose_compatible(source, [(check, finding)])
    return _find_working(source, chosen, _count_each(source, chosen))[1] is not None


def _choose_compatible(source: SourceFile, findings: Iterable[tuple[Check, Finding]]) -> list[_CheckedEdit]:
    """Return the edits whose replacements do not touch those of an earlier one."""
    chosen: list[_CheckedEdit] = []
    taken: list[_Span] = []
    for check, finding in findings:
        edit = finding.edit
        if edit is None or source.is_notebook or edit.path != source.path:
            continue
        spans = [(each.start, each.end, each.text.startswith("def ")) for each in edit.replacements]
        if not any(_touches(taken, span) for span in spans):
            chosen.append((check, edit))
            for span in spans:
                bisect.insort(taken, span)
    return chosen


def _touches(taken: Sequence[_Span], span: _Span) -> bool:
    """Return whether a span overlaps or touches one of a sorted list, whose spans do not overlap.

    Several definitions can be inserted in one place.
    """
    start, end, _ = span
    is_shared = span == (start, start, True)
    last = bisect.bisect_right(taken, (end, _FAR, True))
    # Of those that begin before the end, the last ones end last; a definition may stand between.
    return any(
        each[1] >= start and not (is_shared and each == span) for each in taken[max(0, last - 3) : last]
    )


def _find_working(
    source: SourceFile, edits: Sequence[_CheckedEdit], before: Counter[str]
) -> tuple[Sequence[_CheckedEdit], SourceFile | None]:
    """Return the edits that work together, and the source after them; None if there are none.

    Most edits work, so all are tried together, and halves only where they do not.
    """
    changed = _apply(source, edits, before) if edits else None
    if changed is not None or len(edits) < 2:
        return edits if changed else (), changed
    middle = len(edits) // 2
    first, after_first = _find_working(source, edits[:middle], before)
    second, after_second = _find_working(source, edits[middle:], before)
    if after_first is None or after_second is None:
        return (second, after_second) if after_first is None else (first, after_first)
    both = [*first, *second]
    after_both = _apply(source, both, before)
    return (first, after_first) if after_both is None else (both, after_both)


def _apply(source: SourceFile, edits: Sequence[_CheckedEdit], before: Counter[str]) -> SourceFile | None:
    """Return the source after the edits; None if it cannot be parsed, or a check reports too many findings.

    Each edit has to remove at least one of the findings that there were before.
    """
    # Of two insertions in one place, the later one comes first.
    replacements = [each for _, edit in reversed(edits) for each in edit.replacements]
    text = apply_replacements(source.text, _merge_definitions(replacements))
    parsed = parse_text(source.path, text, source.module.place)
    if not isinstance(parsed, SourceFile):
        return None
    parsed = replace(parsed, words=source.words)
    left = before - Counter(check.name for check, _ in edits)
    after = _count_each(parsed, edits)
    return parsed if all(after[name] <= left[name] for name in after) else None


def _merge_definitions(replacements: Sequence[Replacement]) -> list[Replacement]:
    """Return the replacements with one definition of each function, above all that use it."""
    first: dict[str, Replacement] = {}
    for each in replacements:
        text = each.text.strip()
        if text.startswith("def ") and (text not in first or each.start < first[text].start):
            first[text] = each
    return [each for each in replacements if first.get(each.text.strip(), each) is each]


def _count_each(source: SourceFile, edits: Iterable[_CheckedEdit]) -> Counter[str]:
    """Return the number of findings of each check that has an edit."""
    checks = {check.name: check for check, _ in edits}
    return Counter({name: _count_findings(check, source) for name, check in checks.items()})


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


def _quote_name(name: str) -> str:
    """Return a name for the head of a diff, quoted as Git does if it has characters that could be misread."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    raw = name.encode("utf-8", errors="surrogateescape")
    return '"' + "".join(chr(byte) if chr(byte) in _PLAIN else f"\\{byte:03o}" for byte in raw) + '"'


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
