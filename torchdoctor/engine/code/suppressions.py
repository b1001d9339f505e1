"""Comments that suppress findings: `# torchdoctor: ignore[missing-main-guard]`."""

import ast
import io
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from torchdoctor.check import Finding
from torchdoctor.engine.runner import Outcome
from torchdoctor.source.lines import split_lines
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_COMMENT = re.compile(r"#[^\n]*?\btorchdoctor:\s*ignore\b(?:\[(?P<names>[^\]\n]*)\])?", re.IGNORECASE)


def drop_suppressed(outcomes: Iterable[Outcome], source: SourceFile) -> list[Outcome]:
    """Return the outcomes of a file without the findings that a comment suppresses, and with their number."""
    if "torchdoctor:" not in source.text:
        return list(outcomes)
    return [_without_suppressed(outcome, source) for outcome in outcomes]


def _without_suppressed(outcome: Outcome, source: SourceFile) -> Outcome:
    kept = tuple(
        finding for finding in outcome.findings if not _is_finding_suppressed(finding, outcome.name, source)
    )
    dropped = len(outcome.findings) - len(kept)
    if not dropped:
        return outcome
    status = outcome.status if outcome.status == "errored" else "failed" if kept else "passed"
    return replace(outcome, status=status, findings=kept, suppressed=dropped)


def _is_finding_suppressed(finding: Finding, check_name: str, source: SourceFile) -> bool:
    if finding.location is None or finding.location.path != source.path:
        return False
    line = finding.location.line
    if finding.location.cell is not None:
        # The location counts within a cell.
        first_lines = dict(zip(source.cell_numbers, source.cell_lines, strict=True))
        line += first_lines.get(finding.location.cell, 1) - 1
    return is_suppressed(source, line, check_name)


def is_suppressed(source: SourceFile, finding_line: int, check_name: str) -> bool:
    """Return whether a comment on a line, or on the first line of its statement, suppresses a check.

    `finding_line` counts within the file, or within the joined cells of a notebook.
    """
    lines = {finding_line, _find_statement_line(source.module, finding_line)}
    comments = _read_comments(source.text)
    return any(_suppresses(comments[line], check_name) for line in lines if line in comments)


@lru_cache(maxsize=1)
def _read_comments(text: str) -> Mapping[int, str]:
    """Return the comments of a file by line; where it cannot be tokenized, they may stand in strings."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline=None).readline))
    except (tokenize.TokenError, SyntaxError):
        return dict(enumerate(split_lines(text), 1))
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


def _suppresses(comment: str, check_name: str) -> bool:
    match = _COMMENT.search(comment)
    if match is None:
        return False
    names = match["names"]
    return names is None or check_name in [
        name.strip().lower().replace("_", "-") for name in names.split(",")
    ]


def _find_statement_line(module: ParsedModule, line: int) -> int:
    """Return the first line of the innermost statement that covers a line."""
    first = line
    node: ast.AST = module.tree
    while True:
        block = module.ask_once(_find_block, node)
        index = bisect_left(block, line, key=_find_last_line)
        if index == len(block) or block[index].lineno > line:
            return first
        node = block[index]
        first = block[index].lineno


def _find_last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _find_block(module: ParsedModule, node: ast.AST) -> list[ast.stmt]:
    """Return the statements directly in a node, also those in its except handlers or match cases."""
    return [statement for child in ast.iter_child_nodes(node) for statement in _statements(child)]


def _statements(node: ast.AST) -> list[ast.stmt]:
    """Return a statement itself, or the statements directly in an except handler or a match case."""
    if isinstance(node, ast.stmt):
        return [node]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
