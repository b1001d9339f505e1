"""Run checks on facts and return their outcomes, without input or output."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from torchdoctor.check import Check, Finding, Passed, Severity, Skip
from torchdoctor.core.record import record
from torchdoctor.engine.plugins import describe_exception
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.facts import Absent, Facts, OperatingSystem, occurs_many_times
from torchdoctor.knowledge import Entry, Knowledge


@record
class Outcome:
    """The outcome of one check; `status` is "passed", "failed", "skipped" or "errored".

    `reason` says why a check was skipped or errored. `passed` has the messages of the check's `Passed`
    results. Every finding has a severity.
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
    """Run each check on the facts, in the given order; a check that raises has the status "errored".

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
    reason = _find_reason_to_skip(check, entry, facts)
    if reason is not None:
        return Outcome(check.name, "skipped", entry.severity, reason=reason)
    try:
        results = [
            _verify(result)
            for arguments in _find_arguments(check, facts)
            for result in check.function(**arguments)
        ]
    except Skip as skip:
        return Outcome(check.name, "skipped", entry.severity, reason=str(skip) or "no reason was given")
    except (Exception, SystemExit) as error:
        return Outcome(check.name, "errored", entry.severity, reason=describe_exception(error))
    findings = tuple(
        replace(result, severity=result.severity or entry.severity)
        for result in results
        if isinstance(result, Finding)
    )
    passed = tuple(result.message for result in results if isinstance(result, Passed))
    return Outcome(check.name, "failed" if findings else "passed", entry.severity, findings, passed)


def _verify(result: object) -> Finding | Passed:
    if isinstance(result, (Finding, Passed)):
        return result
    raise TypeError(f"the check yielded a value of the type {type(result).__name__}, not a Finding")


def _find_reason_to_skip(check: Check, entry: Entry, facts: Facts) -> str | None:
    system = facts.get(OperatingSystem)
    return None if isinstance(system, Absent) else find_skip_reason(check, entry, system.system)


def find_skip_reason(check: Check, entry: Entry, system: str) -> str | None:
    """Return why a check does not run for a system ("windows", "linux", "darwin"), or None if it runs."""
    # Training code may run on another machine than this one, so its checks run on every system.
    return None if any(map(occurs_many_times, check.facts)) else find_system_skip_reason(entry, system)


def find_system_skip_reason(entry: Entry, system: str) -> str | None:
    """Return a reason to skip an entry that concerns another system, or None if it concerns this one."""
    entry_system = entry.affects.os
    if entry_system is None or system == entry_system:
        return None
    return f"concerns {entry_system.capitalize()}; this is {system.capitalize()}"


def _find_arguments(check: Check, facts: Facts) -> Iterator[Mapping[str, object]]:
    """Yield the arguments of each call: one call, or one for each value of a fact that occurs many times.

    Raises:
        Skip: a fact that the check needs is absent.
    """
    single: dict[str, object] = {}
    repeated: tuple[str, tuple[object, ...]] | None = None
    for parameter in check.parameters:
        find = facts.all if occurs_many_times(parameter.fact) else facts.get
        value: object = find(parameter.fact)
        if isinstance(value, Absent) and not parameter.tolerates_absence:
            raise Skip(value.reason)
        if isinstance(value, tuple):
            repeated = (parameter.name, value)
        else:
            single[parameter.name] = value
    if repeated is None:
        yield single
        return
    name, occurrences = repeated
    for occurrence in occurrences:
        yield {**single, name: occurrence}
