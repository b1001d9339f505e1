"""Comments that tell the doctor to leave a place alone: `# torchdoctor: ignore[missing-main-guard]`."""

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from torchdoctor.check import Finding
from torchdoctor.engine.runner import Outcome
from torchdoctor.source.lines import split_lines
from torchdoctor.source.source_file import SourceFile

_COMMENT = re.compile(r"#[^\n]*?\btorchdoctor:\s*ignore\b(?:\[(?P<names>[^\]\n]*)\])?", re.IGNORECASE)


def drop_suppressed(outcomes: Iterable[Outcome], sources: Iterable[SourceFile]) -> tuple[Outcome, ...]:
    """Give the outcomes without the findings that a comment silences; how many there were is said."""
    by_path = {source.path: source for source in sources}
    return tuple(_without_suppressed(outcome, by_path) for outcome in outcomes)


def _without_suppressed(outcome: Outcome, sources: dict[str, SourceFile]) -> Outcome:
    kept = tuple(each for each in outcome.findings if not _is_silenced(each, outcome.name, sources))
    dropped = len(outcome.findings) - len(kept)
    if not dropped:
        return outcome
    passed = (*outcome.passed, f"{dropped} suppressed by a comment")
    return replace(outcome, status="failed" if kept else "passed", findings=kept, passed=passed)


def _is_silenced(finding: Finding, name: str, sources: dict[str, SourceFile]) -> bool:
    if finding.location is None:
        return False
    source = sources.get(finding.location.path.partition(":cell ")[0])
    return source is not None and is_finding_suppressed(source, finding, name)


def is_suppressed(source: SourceFile, finding_line: int, check_name: str) -> bool:
    """Tell whether a comment on the line, or on the first line of its statement, silences a check.

    `finding_line` counts within the file, or within the joined cells of a notebook.
    """
    if "torchdoctor:" not in source.text:
        return False
    lines = split_lines(source.text)
    wanted = {finding_line, _first_line(source.tree, finding_line)}
    return any(_silences(lines[line - 1], check_name) for line in wanted if 0 < line <= len(lines))


def is_finding_suppressed(source: SourceFile, finding: Finding, check_name: str) -> bool:
    """Tell whether a finding in this file is silenced; its location may be in a notebook's cell."""
    if finding.location is None:
        return False
    line = finding.location.line
    if source.is_notebook:
        cell = finding.location.path.rpartition(":cell ")[2]
        starts = dict(zip(map(str, source.cell_numbers), source.cell_lines, strict=True))
        line += starts.get(cell, 1) - 1
    return is_suppressed(source, line, check_name)


def _silences(line: str, check_name: str) -> bool:
    found = _COMMENT.search(line)
    if found is None:
        return False
    names = found["names"]
    return names is None or check_name in [
        name.strip().lower().replace("_", "-") for name in names.split(",")
    ]


def _first_line(tree: ast.Module, line: int) -> int:
    """Give the first line of the innermost statement that covers a line."""
    first = line
    body: list[ast.stmt] = tree.body
    while body:
        around = [each for each in body if each.lineno <= line <= (each.end_lineno or each.lineno)]
        if not around:
            return first
        first = around[0].lineno
        children = list(ast.iter_child_nodes(around[0]))
        body = [each for child in children for each in _statements(child)]
    return first


def _statements(node: ast.AST) -> list[ast.stmt]:
    if isinstance(node, ast.stmt):
        return [node]
    return [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
