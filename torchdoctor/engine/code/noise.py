"""Keep what matters apart from what is true but matters little."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from torchdoctor.check import Finding, Severity
from torchdoctor.engine.runner import Outcome
from torchdoctor.source.asides import SLURM_FUNCTION, describe_file, describe_place
from torchdoctor.source.files.finding import PYTHON_SUFFIXES
from torchdoctor.source.source_file import SourceFile

# Equal notes about so many files are reported as one.
_FILES_TO_FOLD = 3
_MOST_PLACES = 50


def lower_asides(outcomes: Iterable[Outcome], source: SourceFile, roots: Sequence[Path]) -> list[Outcome]:
    """Return the outcomes of a file; what is found in tests, examples and dead branches is a note at most.

    What is found in functions for SLURM, of which there is none for Windows, is left out.
    """
    whole = describe_file(source, roots)

    def lower(finding: Finding) -> Finding | None:
        if finding.location is None:
            return finding
        place = describe_place(source, finding.location)
        if place == SLURM_FUNCTION:
            return None
        aside = whole or place
        if aside is None:
            return finding
        evidence = {**finding.evidence, "aside": aside}
        message = f"{finding.message}, in {aside}"
        return replace(finding, message=message, evidence=evidence, severity=Severity.NOTE, bound=None)

    return [_map_findings(outcome, lower) if outcome.findings else outcome for outcome in outcomes]


def _map_findings(outcome: Outcome, change: Callable[[Finding], Finding | None]) -> Outcome:
    """Return the outcome with what becomes of each finding; one that becomes None is left out."""
    findings = tuple(found for each in outcome.findings if (found := change(each)) is not None)
    status = "passed" if outcome.status == "failed" and not findings else outcome.status
    return replace(outcome, status=status, findings=findings)


def fold_repeated(outcome: Outcome) -> Outcome:
    """Return the outcome with one finding for what several files repeat.

    That is a setting with the same value, and any note with the same message and step. The first place stands
    for all; `places` of its evidence has the others, each as path:line.
    """
    groups: dict[tuple[str | None, ...], list[Finding]] = {}
    for finding in outcome.findings:
        if (key := _find_repetition(finding)) is not None:
            groups.setdefault(key, []).append(finding)
    folded: dict[int, Finding | None] = {}
    for findings in groups.values():
        places = [each.location for each in findings if each.location is not None]
        files = len({place.path for place in places})
        if files < _FILES_TO_FOLD:
            continue
        others = [f"{PurePath(place.path).as_posix()}:{place.line}" for place in places[1:]]
        message = f"{findings[0].message}, and the same in {files - 1} other files"
        evidence = {**findings[0].evidence, "places": others[:_MOST_PLACES]}
        folded |= {id(each): None for each in findings[1:]}
        folded[id(findings[0])] = replace(findings[0], message=message, evidence=evidence)
    if not folded:
        return outcome
    kept = (folded.get(id(each), each) for each in outcome.findings)
    return replace(outcome, findings=tuple(each for each in kept if each is not None))


def _find_repetition(finding: Finding) -> tuple[str | None, ...] | None:
    """Return what findings that repeat each other have in common; None if a finding stands for itself."""
    if finding.location is None or finding.severity is not Severity.NOTE:
        return None
    if "aside" not in finding.evidence:
        if setting := str(finding.evidence.get("setting", "")):
            # The default in the code is another one than what a configuration file sets.
            kind = "code" if finding.location.path.endswith(PYTHON_SUFFIXES) else "configuration"
            return kind, setting.rpartition(".")[2], finding.message.removeprefix(setting)
        # What can be changed mechanically, and what limits the number of workers, is told of each place.
        if finding.edit is not None or finding.bound is not None:
            return None
    return finding.step, finding.message
