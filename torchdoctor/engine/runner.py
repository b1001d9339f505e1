"""Facts and checks give outcomes: the pure middle of the doctor."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from torchdoctor.check import Check, Finding, Passed, Severity, Skip
from torchdoctor.core.record import record
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.facts import Absent, Facts, OperatingSystem, occurs_many_times
from torchdoctor.knowledge import Entry, Knowledge


@record
class Outcome:
    """What came of one check: passed, failed, skipped or errored.

    `reason` says why a check was skipped or errored; `passed` is what a healthy check saw. Every
    finding has its severity filled in.
    """

    name: str
    status: str
    severity: Severity
    findings: tuple[Finding, ...] = ()
    passed: tuple[str, ...] = ()
    reason: str | None = None


def run_checks(
    checks: Iterable[Check],
    facts: Facts,
    knowledge: Knowledge,
    *,
    watcher: Watcher | None = None,
) -> tuple[Outcome, ...]:
    """Run each check on the facts, in the order given; a check that raises is contained.

    The watcher is called with a check's name when it starts (True) and when it ends (False).
    """

    def run(check: Check) -> Outcome:
        if watcher is None:
            return run_check(check, facts, knowledge.entries[check.name])
        watcher(check.name, True)
        outcome = run_check(check, facts, knowledge.entries[check.name])
        watcher(check.name, False)
        return outcome

    return tuple(run(check) for check in checks)


def run_check(check: Check, facts: Facts, entry: Entry) -> Outcome:
    """Run one check on the facts."""
    reason = _inapplicable(check, entry, facts)
    if reason is not None:
        return Outcome(check.name, "skipped", entry.severity, reason=reason)
    try:
        results = [
            result for arguments in _find_arguments(check, facts) for result in check.function(**arguments)
        ]
    except Skip as skip:
        return Outcome(check.name, "skipped", entry.severity, reason=str(skip) or "no reason was given")
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return Outcome(check.name, "errored", entry.severity, reason=reason)
    findings = tuple(
        replace(result, severity=result.severity or entry.severity)
        for result in results
        if isinstance(result, Finding)
    )
    passed = tuple(result.message for result in results if isinstance(result, Passed))
    return Outcome(check.name, "failed" if findings else "passed", entry.severity, findings, passed)


def _inapplicable(check: Check, entry: Entry, facts: Facts) -> str | None:
    system = facts.get(OperatingSystem)
    return None if isinstance(system, Absent) else find_obstacle(check, entry, system.system)


def find_obstacle(check: Check, entry: Entry, system: str) -> str | None:
    """Say why a check does not run for this system ("windows", "linux", "darwin"), None where it does."""
    # Code is read for the machines it will run on, not for the one it is read on.
    return None if any(map(occurs_many_times, check.facts)) else name_foreign_system(entry, system)


def name_foreign_system(entry: Entry, system: str) -> str | None:
    """Say that a problem concerns another system than this one, None where it does not."""
    wanted = entry.affects.os
    if wanted is None or system == wanted:
        return None
    return f"concerns {wanted.capitalize()}; this is {system.capitalize()}"


def _find_arguments(check: Check, facts: Facts) -> Iterator[Mapping[str, object]]:
    """Give the arguments of each call: one call, or one for each occurrence of a fact with many."""
    single: dict[str, object] = {}
    many: tuple[str, tuple[object, ...]] | None = None
    for parameter in check.parameters:
        find = facts.all if occurs_many_times(parameter.fact) else facts.get
        value: object = find(parameter.fact)
        if isinstance(value, Absent) and not parameter.tolerates_absence:
            raise Skip(value.reason)
        if isinstance(value, tuple):
            many = (parameter.name, value)
        else:
            single[parameter.name] = value
    if many is None:
        yield single
        return
    for occurrence in many[1]:
        yield {**single, many[0]: occurrence}
