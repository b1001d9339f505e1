"""Try the edits of findings, so that the report offers none that would not work or be refused."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.check import Check, Finding
from torchdoctor.core.controls import escape_name
from torchdoctor.core.files import read_bytes
from torchdoctor.core.time_limit import TimeLimitExceeded, time_limit
from torchdoctor.engine.runner import Outcome
from torchdoctor.source.edits.changes import try_edit
from torchdoctor.source.edits.guards import GUARDED
from torchdoctor.source.edits.programs import find_role
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.source_file import SourceFile

if TYPE_CHECKING:
    from torchdoctor.source.edits.importers import Importers

_MAX_TRIED_EDITS = 3
# The time that the trial of a check's edits may take for one file.
_SECONDS_PER_FILE = 30.0
# A scan reads no more than this to find out who imports a script; --fix reads far more.
_SCAN_FILES, _SCAN_ENTRIES = 150, 3_000
_MOST_ASKED = 50
# What the evidence of a finding calls the reason for which --fix leaves, or may leave, its file as it is.
REFUSAL, DOUBT = "no_change", "doubt"


def drop_unusable_edits(
    outcomes: Iterable[Outcome], checks: Iterable[Check], source: SourceFile
) -> list[Outcome]:
    """Return the outcomes of a file without the edits of a check for which --fix would change nothing.

    The command is one for a file and a check, so an edit that works is enough; few are tried, because each
    runs the check again.
    """
    checks_by_name = {check.name: check for check in checks if SourceFile in check.facts}

    def drop(outcome: Outcome) -> Outcome:
        if all(each.edit is None for each in outcome.findings):
            return outcome
        candidates = [each for each in outcome.findings if each.edit and each.edit.path == source.path]
        check = checks_by_name.get(outcome.name)
        works = check is not None and _makes_an_edit(check, source, candidates)
        findings = tuple(
            each
            if each.edit is None or (works and each.edit.path == source.path)
            else replace(each, edit=None)
            for each in outcome.findings
        )
        return replace(outcome, findings=findings)

    return [drop(outcome) for outcome in outcomes]


def _makes_an_edit(check: Check, source: SourceFile, findings: Sequence[Finding]) -> bool:
    try:
        with time_limit(_SECONDS_PER_FILE):
            return any(try_edit(source, check, each) for each in findings[:_MAX_TRIED_EDITS])
    except (Exception, TimeLimitExceeded):
        # A plugin may fail on the changed code, which --fix then does not write.
        return False


def ask_importers(outcomes: Iterable[Outcome], roots: Sequence[Path]) -> list[Outcome]:
    """Return the outcomes without the main guards that --fix refuses, because others import the script.

    The evidence says why: `no_change` has the reason. With `doubt`, an edit is kept that --fix may refuse: a
    large project is not read only to find out.
    """
    outcomes = list(outcomes)
    if not any(_is_main_guard(each) for outcome in outcomes for each in outcome.findings):
        return outcomes
    # Imported here: few scans find a script without a guard, and its patterns take long to compile.
    from torchdoctor.source.edits.importers import UNREAD, Importers, Limits

    importers = Importers(roots, Limits(_SCAN_FILES, _SCAN_ENTRIES, reads_above=False))
    asked = 0

    def ask(finding: Finding) -> Finding:
        nonlocal asked
        if finding.edit is None or not _is_main_guard(finding):
            return finding
        asked += 1
        reason = _find_refusal(finding.edit.path, importers) if asked <= _MOST_ASKED else UNREAD
        if reason is None:
            return finding
        if reason.startswith(UNREAD):
            return replace(finding, evidence={**finding.evidence, DOUBT: "other files may import it"})
        return replace(finding, edit=None, evidence={**finding.evidence, REFUSAL: escape_name(reason)})

    return [replace(each, findings=tuple(map(ask, each.findings))) for each in outcomes]


def _is_main_guard(finding: Finding) -> bool:
    return finding.edit is not None and GUARDED in finding.edit.description


def _find_refusal(path: str, importers: "Importers") -> str | None:
    """Return why --fix writes no main guard into a file, None if it does or the file cannot be read."""
    try:
        source = parse_source(path, read_bytes(Path(path)))
    except OSError:
        return None
    if not isinstance(source, SourceFile):
        return None
    return find_role(source) or importers.find_reason(source)
