"""One file, or one check, spoils only itself."""

import contextlib
import io
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from torchdoctor.check import Bound, Check, Finding, Location, Parameter, Severity, Skip, check
from torchdoctor.engine import runner
from torchdoctor.engine.file_times import FileTimes
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, merge_outcomes, run_check, run_checks
from torchdoctor.facts import Facts, OperatingSystem
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source

KNOWLEDGE = load_registry().knowledge
ENTRY = KNOWLEDGE.entries["posix-only"]
NAMES = ("a.py", "bad.py", "c.py")


def make_facts() -> Facts:
    sources = tuple(
        source for name in NAMES if isinstance(source := parse_source(name, b"x = 1\n"), SourceFile)
    )
    return Facts({SourceFile: sources})


def make_check(fail: object) -> Check:
    """Make a check that finds something in each file; for bad.py it first does what `fail` says."""

    def function(source: SourceFile) -> Iterator[object]:
        if source.path == "bad.py":
            if isinstance(fail, BaseException):
                raise fail
            if fail == "hang":
                while True:
                    with contextlib.suppress(Exception):
                        time.sleep(0.001)
            while fail == "for ever":
                yield Finding("x")
            yield fail
        yield Finding("seen", Location(source.path, 1))

    parameters = (Parameter("source", SourceFile, False),)
    return Check("posix-only", "", parameters, function, "plugin.posix_only")  # type: ignore[arg-type]


def find_paths(outcome: Outcome) -> list[str]:
    return [finding.location.path for finding in outcome.findings if finding.location]


class Unprintable(Exception):
    """An exception that cannot say what it is."""

    def __str__(self) -> str:
        """Fail."""
        raise RuntimeError


BROKEN = {
    "error": ValueError("x"),
    "unprintable": Unprintable(),
    "exit": SystemExit(0),
    "deep": RecursionError("x"),
    "text": "a finding",
    "none": None,
    "message": Finding(5),  # type: ignore[arg-type]
    "location": Finding("x", "a.py"),  # type: ignore[arg-type]
    "severity": Finding("x", severity="error"),  # type: ignore[arg-type]
    "evidence": Finding("x", evidence={"a": object()}),
    "evidence list": Finding("x", evidence=["a"]),  # type: ignore[arg-type]
    "step": Finding("x", step=1),  # type: ignore[arg-type]
    "nothing to read": Finding(" \x07"),
    "line": Finding("x", Location("a.py", 0)),
    "workers": Finding("x", bound=Bound("a", -1, "b")),
    "not a number": Finding("x", evidence={"a": float("nan")}),
    "base exception": BaseException("x"),
    "end of a generator": GeneratorExit(),
    "edit": Finding("x", edit="y"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_failure_in_one_file_keeps_what_was_found_in_the_others(name: str) -> None:
    outcome = run_check(make_check(BROKEN[name]), make_facts(), ENTRY)
    assert (outcome.status, find_paths(outcome)) == ("errored", ["a.py", "c.py"])
    assert outcome.reason is not None
    assert outcome.reason.startswith("bad.py: ")
    assert "\n" not in outcome.reason


def test_skip_of_one_file_keeps_what_was_found_in_the_others() -> None:
    outcome = run_check(make_check(Skip("not this one")), make_facts(), ENTRY)
    assert (outcome.status, find_paths(outcome)) == ("failed", ["a.py", "c.py"])


def test_check_that_hangs_in_a_file_is_stopped_and_the_file_is_named() -> None:
    times = FileTimes(0.3)
    outcomes = [run_check(make_check("hang"), make_facts(), ENTRY, times) for _ in range(2)]
    for outcome in outcomes:
        assert (outcome.status, find_paths(outcome), outcome.unread) == (
            "failed",
            ["a.py", "c.py"],
            ("bad.py",),
        )


def test_what_a_check_prints_is_not_in_the_report() -> None:
    def function(system: OperatingSystem) -> Iterator[Finding]:
        print("noise")
        yield Finding("x", severity=Severity.NOTE)

    check = Check(
        "posix-only", "", (Parameter("system", OperatingSystem, True),), function, "plugin.posix_only"
    )
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        [outcome] = run_checks([check], Facts(), KNOWLEDGE)
    assert (outcome.status, output.getvalue()) == ("failed", "")


def test_check_of_facts_that_does_not_end_is_stopped() -> None:
    @check
    def paging_file_too_small(system: OperatingSystem) -> Iterator[Finding]:
        while True:
            yield from ()

    facts = Facts({OperatingSystem: OperatingSystem("windows", "11", "x64", 1)})
    outcome = run_check(paging_file_too_small, facts, ENTRY, FileTimes(0.3))
    assert (outcome.status, outcome.reason) == ("errored", "it did not end within 0 s")


def test_check_that_yields_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_MOST_RESULTS", 100)
    outcome = run_check(make_check("for ever"), make_facts(), ENTRY)
    assert (outcome.status, outcome.reason) == (
        "errored",
        "bad.py: ValueError: the check yielded 100 results",
    )


def test_recursion_limit_of_a_check_does_not_stay() -> None:
    before = sys.getrecursionlimit()

    @check
    def posix_only(system: OperatingSystem) -> Iterator[Finding]:
        sys.setrecursionlimit(90)
        yield Finding("a")

    facts = Facts({OperatingSystem: OperatingSystem("linux", "6", "x64", 1)})
    run_checks([posix_only], facts, KNOWLEDGE)
    assert sys.getrecursionlimit() == before


def test_check_reads_only_files_that_have_its_words() -> None:
    [check_of_words] = [replace(make_check("seen"), words=((b"wanted", (b"x", b"y")),))]
    sources = tuple(
        parse_source(f"{number}.py", text)
        for number, text in enumerate((b"wanted = 1", b"wanted = x", b"x = y", b"wanted = y"))
    )
    outcome = run_check(check_of_words, Facts({SourceFile: sources}), ENTRY)
    assert find_paths(outcome) == ["1.py", "3.py"]


@pytest.mark.parametrize(
    ("statuses", "merged", "reason"),
    [
        (["passed", "failed", "passed"], "failed", None),
        (["passed", "skipped", "skipped"], "skipped", "why 1"),
        (["failed", "skipped"], "failed", None),
        (["failed", "errored", "errored"], "errored", "why 1"),
        (["passed"], "passed", None),
    ],
)
def test_outcomes_of_files_are_merged(statuses: list[str], merged: str, reason: str | None) -> None:
    outcomes = [
        Outcome(
            "posix-only", status, Severity.ERROR, reason=None if status in ("passed", "failed") else f"why {number}",
            findings=(Finding(f"{number}"),) if status == "failed" else (), suppressed=number if status == "failed" else 0,
            unread=(f"{number}.py",) if status == "errored" else (),
        )
        for number, status in enumerate(statuses)
    ]  # fmt: skip
    outcome = merge_outcomes(outcomes)
    suppressed = sum(number for number, status in enumerate(statuses) if status == "failed")
    assert (outcome.status, outcome.reason) == (merged, reason)
    assert outcome.observations == ((f"{suppressed} suppressed by a comment",) if suppressed else ())
    assert len(outcome.findings) == statuses.count("failed")
    assert len(outcome.unread) == statuses.count("errored")
