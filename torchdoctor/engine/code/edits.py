"""Try the edits of findings, so that the report offers none that would not work."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from torchdoctor.check import Check, Finding
from torchdoctor.core.time_limit import TimeLimitExceeded, time_limit
from torchdoctor.engine.runner import Outcome
from torchdoctor.source.edits.changes import try_edit
from torchdoctor.source.source_file import SourceFile

_MAX_TRIED_EDITS = 3
# The time that the trial of a check's edits may take for one file.
_SECONDS_PER_FILE = 30.0


def drop_unusable_edits(
    outcomes: Iterable[Outcome], checks: Iterable[Check], source: SourceFile
) -> list[Outcome]:
    """Return the outcomes of a file without the edits of a check for which --fix would change nothing.

    The command is one for a file and a check, so an edit that works is enough; few are tried, because each
    runs the check again.
    """
    checks_by_name = {check.name: check for check in checks if check.facts == (SourceFile,)}

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
