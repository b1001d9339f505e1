"""What the runner makes of the results of checks: each status, reason and number."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.engine.registered import REGISTRY, WINDOWS
from torchdoctor.check import (
    Bound,
    Check,
    Edit,
    Finding,
    Location,
    Parameter,
    Passed,
    Replacement,
    Severity,
    Skip,
)
from torchdoctor.core.time_limit import TimeLimitExceeded
from torchdoctor.engine import file_times, runner
from torchdoctor.engine.file_times import FileTimes
from torchdoctor.engine.runner import Outcome, run_check, run_checks
from torchdoctor.facts import Memory, OperatingSystem, Processor

ENTRY = REGISTRY.knowledge.entries["posix-only"]


NOTE = Finding("seen", severity=Severity.NOTE)


def make_check(*results: object, parameters: tuple[Parameter, ...] | None = None) -> Check:
    """Make a check that yields these results; an exception is raised."""

    def function(**_: object) -> Iterator[object]:
        for result in results:
            if isinstance(result, BaseException):
                raise result
            yield result

    system = (Parameter("system", OperatingSystem, False),)
    return Check("posix-only", "", system if parameters is None else parameters, function, "p.posix_only")  # type: ignore[arg-type]


def describe(outcome: Outcome) -> tuple[object, ...]:
    said = tuple(
        (finding.message, finding.severity and finding.severity.value) for finding in outcome.findings
    )
    return outcome.status, said, outcome.passed, outcome.reason, outcome.unread, outcome.suppressed


RESULTS: dict[str, tuple[tuple[object, ...], tuple[object, ...]]] = {
    "nothing": ((), ("passed", (), (), None)),
    "finding": ((Finding("a"),), ("failed", (("a", "warning"),), (), None)),
    "severity": ((NOTE,), ("failed", (("seen", "note"),), (), None)),
    "passed": ((Passed("b"),), ("passed", (), ("b",), None)),
    "both": ((NOTE, Passed("b")), ("failed", (("seen", "note"),), ("b",), None)),
    "skip": ((Skip("not\nhere"),), ("skipped", (), (), "not here")),
    "skip without a reason": ((Skip(),), ("skipped", (), (), "no reason was given")),
    "skip after a finding": ((NOTE, Skip("x")), ("skipped", (), (), "x")),
    "error": ((ValueError("x"),), ("errored", (), (), "ValueError: x")),
    "error after a finding": ((NOTE, KeyError("x")), ("errored", (("seen", "note"),), (), "KeyError: 'x'")),
    "error without a message": ((ValueError(),), ("errored", (), (), "ValueError: no message")),
    "long error": (
        (ValueError("x" * 490 + " y" * 9),),
        ("errored", (), (), f"ValueError: {'x' * 490} y y y y ..."),
    ),
    "long word": ((ValueError("x" * 501),), ("errored", (), (), "ValueError: ...")),
}


@pytest.mark.parametrize("name", RESULTS)
def test_outcome_of_results(name: str) -> None:
    results, expected = RESULTS[name]
    assert describe(run_check(make_check(*results), WINDOWS, ENTRY)) == (*expected, (), 0)


CORES, MEMORY = Parameter("cores", Processor, False), Parameter("memory", Memory, False)


NEEDS: dict[str, tuple[tuple[Parameter, ...], str | None]] = {
    "absent": ((CORES,), "no cores"),
    "absent and tolerated": ((replace(CORES, tolerates_absence=True),), None),
    "no facts": ((), None),
}


@pytest.mark.parametrize("name", NEEDS)
def test_absent_fact_is_the_reason(name: str) -> None:
    parameters, reason = NEEDS[name]
    assert run_check(make_check(parameters=parameters), WINDOWS, ENTRY).reason == reason


PLACE, BOUND = Location("a.py", 1, 1, 1, 1), Bound("cores", 0, "why")


FAR = 1 << 31


WRONG: dict[str, tuple[object, str]] = {
    "number": (5, "TypeError: the check yielded a value of the type int, not a Finding"),
    "message": (Finding(5), "TypeError: the message of a finding is of the type int"),  # type: ignore[arg-type]
    "blank": (Finding(" \x07"), "ValueError: the message of a finding has nothing to read"),
    "passed blank": (Passed(""), "ValueError: the message of a finding has nothing to read"),
    "line 0": (Finding("a", replace(PLACE, line=0)), "ValueError: the location of a finding counts lines and columns from 1"),
    "column 0": (Finding("a", replace(PLACE, column=0)), "ValueError: the location of a finding counts lines and columns from 1"),
    "end line 0": (Finding("a", replace(PLACE, end_line=0)), "ValueError: the location of a finding counts lines and columns from 1"),
    "end column": (Finding("a", replace(PLACE, end_column=FAR)), "ValueError: the location of a finding counts lines and columns from 1"),
    "true": (Finding("a", replace(PLACE, line=True)), "TypeError: the line of a finding is of the type bool"),
    "workers": (Finding("a", bound=replace(BOUND, workers=-1)), "ValueError: the bound of a finding is -1 workers"),
    "many workers": (Finding("a", bound=replace(BOUND, workers=FAR)), f"ValueError: the bound of a finding is {FAR} workers"),
    "evidence": (Finding("a", evidence={"b": {1}}), "TypeError: the evidence of a finding holds a value of the type set"),
    "list": (Finding("a", evidence=["b"]), "TypeError: the evidence of a finding is of the type list"),  # type: ignore[arg-type]
    "nan": (Finding("a", evidence={"b": float("nan")}), "ValueError: Out of range float values are not JSON compliant"),
    "severity": (Finding("a", severity="error"), "TypeError: the severity of a finding is of the type str"),  # type: ignore[arg-type]
    "edit": (Finding("a", edit=Edit("a", "b", ("c",))), "TypeError: the replacements of a finding is of the type str"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_result_is_named(name: str) -> None:
    result, reason = WRONG[name]
    outcome = run_check(make_check(result), WINDOWS, ENTRY)
    assert outcome.status == "errored"
    assert outcome.reason is not None
    assert outcome.reason.startswith(reason)


RIGHT = {
    "all": Finding(
        "a", PLACE, {"b": [1]}, Severity.ERROR, Edit("a", "b", (Replacement(0, 0, ""),)), "c", BOUND
    ),
    "far": Finding("a", Location("a", FAR - 1, FAR - 1), {}, Severity.NOTE, bound=Bound("b", FAR - 1, "")),
    "start": Finding("a", Location("a", 1), {}, Severity.NOTE),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_result_is_kept(name: str) -> None:
    assert run_check(make_check(RIGHT[name]), WINDOWS, ENTRY).findings == (RIGHT[name],)


def test_check_of_facts_may_yield_fewer_results_than_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_MOST_RESULTS", 3)
    statuses = [run_check(make_check(*[NOTE] * count), WINDOWS, ENTRY).status for count in (2, 3)]
    assert statuses == ["failed", "errored"]


def test_watcher_sees_the_start_and_the_end_of_each_check() -> None:
    seen: list[tuple[str, bool]] = []
    run_checks([make_check()], WINDOWS, REGISTRY.knowledge, watcher=lambda *event: seen.append(event))
    assert seen == [("posix-only", True), ("posix-only", False)]


def test_time_is_spent_by_file(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 103.0, 200.0, 201.0])
    monkeypatch.setattr(file_times, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    limits: list[float] = []
    monkeypatch.setattr(file_times, "time_limit", lambda seconds: limits.append(seconds) or SimpleLimit())
    times = FileTimes(10.0)
    for path in ("a.py", "a.py"):
        with times.spend(path):
            pass
    assert (limits, times._left) == ([5.0, 3.5], {"a.py": 6.0})


class SimpleLimit:
    """A limit that is never reached."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, *_: object) -> None:
        """End."""


def test_quick_check_runs_beside_slow_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def limit(seconds: float) -> SimpleLimit:
        limits.append(seconds)
        if len(limits) < 30:
            raise TimeLimitExceeded
        return SimpleLimit()

    clock = itertools.accumulate(itertools.cycle([0.0, 10.0]))
    monkeypatch.setattr(file_times, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(file_times, "time_limit", limit)
    times = FileTimes(30.0)
    for _ in range(29):
        assert run_check(make_check(NOTE), WINDOWS, ENTRY, times).reason == "it did not end within 15 s"
    assert run_check(make_check(NOTE), WINDOWS, ENTRY, times).status == "failed"
    assert limits[:4] == [15.0, 10.0, 5.0, 1.0]
    assert set(limits[3:]) == {1.0}


def _yield_wrongly_and_end_never(system: object) -> Iterator[object]:
    try:
        yield 5
    finally:
        while True:
            len("")


def test_end_of_a_check_counts_as_its_time() -> None:
    check = replace(make_check(), function=_yield_wrongly_and_end_never)
    assert run_check(check, WINDOWS, ENTRY, FileTimes(0.4)).reason == "it did not end within 0 s"
