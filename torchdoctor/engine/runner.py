"""Run checks on facts and return their outcomes, without input or output."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from torchdoctor.check import Check, Finding, Passed, Severity, Skip
from torchdoctor.core.record import record
from torchdoctor.core.time_limit import TimeLimitExceeded
from torchdoctor.engine.apart import call_apart, divert_output
from torchdoctor.engine.file_times import FileTimes
from torchdoctor.engine.plugins import describe_exception
from torchdoctor.engine.results import verify_result
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.facts import Absent, Facts, OperatingSystem, occurs_many_times
from torchdoctor.facts.partial import Unobserved, find_value
from torchdoctor.inside.answers import read_message
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.source.source_file import SourceFile

# A check of a third party that goes on after its time is left behind so much later.
_SECONDS_TO_STOP = 5.0
# More than a file of the largest size has lines.
_MOST_RESULTS = 200_000


@record
class Outcome:
    """The outcome of one check; `status` is "passed", "failed", "skipped" or "errored".

    `reason` says why a check was skipped or errored; an errored one can have findings of other files.
    `passed` has the messages of the check's `Passed` results. Every finding has a severity. `unread` names
    the files in which the check was stopped because it took too long. `suppressed` is the number of findings
    that comments suppress, `ignored` of those in paths that the project ignores, and `known` of those that
    its baseline has; `findings` has none of them.
    """

    name: str
    status: str
    severity: Severity
    findings: tuple[Finding, ...] = ()
    passed: tuple[str, ...] = ()
    reason: str | None = None
    unread: tuple[str, ...] = ()
    suppressed: int = 0
    ignored: int = 0
    known: int = 0

    @property
    def observations(self) -> tuple[str, ...]:
        """What the check observed that is no problem, and how many findings are left out."""
        counts = (
            (self.suppressed, "suppressed by a comment"),
            (self.ignored, "in paths that the configuration ignores"),
            (self.known, "known from the baseline"),
        )
        return (*self.passed, *(f"{count} {reason}" for count, reason in counts if count))


def run_checks(
    checks: Iterable[Check],
    facts: Facts,
    knowledge: Knowledge,
    *,
    watcher: Watcher | None = None,
) -> tuple[Outcome, ...]:
    """Run each check on the facts, in the given order; a check that raises has the status "errored".

    The watcher is called with a check's name when it starts (True) and when it ends (False). What a check
    prints goes to standard error, because standard output belongs to the report.
    """
    times = FileTimes()

    def run(check: Check) -> Outcome:
        entry = knowledge.entries[check.name]
        is_builtin = check.function.__module__.partition(".")[0] == "torchdoctor"
        run_it = run_check if is_builtin else run_apart
        if watcher is not None:
            watcher(check.name, True)
        outcome = run_it(check, facts, entry, times)
        if watcher is not None:
            watcher(check.name, False)
        return outcome

    with divert_output():
        return tuple(run(check) for check in checks)


def run_apart(check: Check, facts: Facts, entry: Entry, times: FileTimes) -> Outcome:
    """Run a check of a third party in a thread, which is left behind if it cannot be stopped."""
    seconds = times.seconds_per_file / 2
    answer = call_apart(lambda: run_check(check, facts, entry, times), seconds + _SECONDS_TO_STOP)
    if isinstance(answer, Outcome):
        return answer
    reason = (
        f"it did not end within {seconds:.0f} s" if answer is None else f"it raises {type(answer).__name__}"
    )
    return Outcome(check.name, "errored", entry.severity, reason=reason)


def run_check(check: Check, facts: Facts, entry: Entry, times: FileTimes | None = None) -> Outcome:
    """Run one check on the facts; what it raises for one file does not keep it from reading the others."""
    reason = _find_reason_to_skip(check, entry, facts)
    if reason is not None:
        return Outcome(check.name, "skipped", entry.severity, reason=reason)
    times = times or FileTimes()
    results: list[Finding | Passed] = []
    errors: list[str] = []
    unread: list[str] = []
    skips: list[str] = []
    try:
        all_arguments = list(_find_arguments(check, facts))
    except Skip as skip:
        return Outcome(check.name, "skipped", entry.severity, reason=_read_reason(skip))
    for arguments in all_arguments:
        path = next((_name_file(each) for each in arguments.values() if occurs_many_times(type(each))), None)
        try:
            with times.spend(path or check.name):
                _collect(check.function(**arguments), results)
        except Unobserved as unobserved:
            skips.append(_read_reason(unobserved))
            # What was found before is true whatever the unknown value is.
            results[:] = [result for result in results if isinstance(result, Finding)]
        except Skip as skip:
            skips.append(_read_reason(skip))
            if path is None:
                results.clear()
        except TimeLimitExceeded:
            if path is None:
                errors.append(f"it did not end within {times.seconds_per_file / 2:.0f} s")
            else:
                unread.append(path)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            errors.append(f"{path}: {describe_exception(error)}" if path else describe_exception(error))
    findings = tuple(
        replace(result, severity=result.severity or entry.severity)
        for result in results
        if isinstance(result, Finding)
    )
    passed = tuple(result.message for result in results if isinstance(result, Passed))
    status = (
        "errored" if errors else "skipped" if skips and not results else "failed" if findings else "passed"
    )
    reason = next(iter([*errors, *skips]), None) if status in ("errored", "skipped") else None
    return Outcome(check.name, status, entry.severity, findings, passed, reason, tuple(unread))


def _collect(running: Iterable[object], results: list[Finding | Passed]) -> None:
    """Add what a check yields to a list; one that yields something else is ended at once, within its time."""
    try:
        for number, result in enumerate(running, 1):
            results.append(verify_result(result))
            if number == _MOST_RESULTS:
                raise ValueError(f"the check yielded {_MOST_RESULTS:,} results")
    except BaseException:
        if isinstance(running, Generator):
            with suppress(Exception):
                running.close()
        raise


def merge_outcomes(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a check that ran on one file after the other."""
    statuses = {outcome.status for outcome in outcomes}
    findings = tuple(finding for outcome in outcomes for finding in outcome.findings)
    passed = tuple(message for outcome in outcomes for message in outcome.passed)
    counts = {
        name: sum(getattr(outcome, name) for outcome in outcomes)
        for name in ("suppressed", "ignored", "known")
    }
    if "errored" in statuses:
        status = "errored"
    elif "skipped" in statuses and not (findings or passed or any(counts.values())):
        status = "skipped"
    else:
        status = "failed" if findings else "passed"
    reason = next((outcome.reason for outcome in outcomes if outcome.status == status), None)
    unread = tuple(path for outcome in outcomes for path in outcome.unread)
    return replace(
        outcomes[0],
        status=status,
        findings=findings,
        passed=passed,
        reason=reason,
        unread=unread,
        **counts,
    )


def _read_reason(skip: Exception) -> str:
    return " ".join(read_message(skip).split()) or "no reason was given"


def _name_file(value: object) -> str | None:
    path = getattr(value, "path", None)
    return path if isinstance(path, str) else None


def _find_reason_to_skip(check: Check, entry: Entry, facts: Facts) -> str | None:
    system = facts.get(OperatingSystem)
    name = system if isinstance(system, Absent) else find_value(system, "system")
    return None if isinstance(name, Absent) else find_skip_reason(check, entry, name)


def find_skip_reason(check: Check, entry: Entry, system: str) -> str | None:
    """Return why a check does not run for a system ("windows", "linux", "darwin"), or None if it runs."""
    # Training code may run on another machine than this one, so its checks run on every system.
    return None if any(map(occurs_many_times, check.facts)) else find_system_skip_reason(entry, system)


def find_system_skip_reason(entry: Entry, system: str) -> str | None:
    """Return a reason to skip an entry that concerns another system, or None if it concerns this one."""
    entry_system = entry.affects.os
    if entry_system is None or system == entry_system:
        return None
    # A token in the place of a system keeps its form, and so is found.
    shown = system.capitalize() if system.isalpha() else system
    return f"concerns {entry_system.capitalize()}; this is {shown}"


def _find_arguments(check: Check, facts: Facts) -> Iterator[Mapping[str, object]]:
    """Yield the arguments of each call: one call, or one for each value of a fact that occurs many times.

    Of a file of several kinds, a check that takes these gets the first. Raise Skip for an absent fact.
    """
    single: dict[str, object] = {}
    repeated: tuple[str, tuple[object, ...]] | None = None
    for parameter in check.parameters:
        find = facts.all if occurs_many_times(parameter.fact) else facts.get
        values: list[object] = [find(kind) for kind in parameter.facts]
        value = next((each for each in values if each != ()), ())
        if isinstance(value, Absent) and not parameter.tolerates_absence:
            raise Skip(value.reason)
        if isinstance(value, tuple):
            repeated = (parameter.name, tuple(each for each in value if _may_matter(check, each)))
        else:
            single[parameter.name] = value
    if repeated is None:
        yield single
        return
    name, occurrences = repeated
    for occurrence in occurrences:
        yield {**single, name: occurrence}


def _may_matter(check: Check, occurrence: object) -> bool:
    """Return whether a check can find anything in a file; one was parsed for the words of any check."""
    return not isinstance(occurrence, SourceFile) or occurrence.contains(check.words)
