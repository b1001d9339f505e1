"""What the engine makes of checks, files, plugins and probes, as a whole: each status, reason and number."""

import itertools
import json
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

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
from torchdoctor.core.usage import UsageError
from torchdoctor.engine import examiner, file_times, plugins, runner, stopwatch
from torchdoctor.engine.code.edits import drop_unusable_edits
from torchdoctor.engine.code.examination import examine_code, read_code, reads_code
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.file_times import FileTimes
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, run_check, run_checks
from torchdoctor.engine.selection import select_checks
from torchdoctor.engine.threads import DaemonThreads
from torchdoctor.facts import Absent, Facts, Memory, OperatingSystem, Processor
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source

REGISTRY = load_registry()
ENTRY = REGISTRY.knowledge.entries["posix-only"]
WINDOWS = Facts(
    {OperatingSystem: OperatingSystem("windows", "11", "x64", 22631), Processor: Absent("no cores")}
)
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


# A file with a finding in each line that has "f", on each line with a comment.
COMMENTED = """f()
f()  # torchdoctor: ignore
f()  # TORCHDOCTOR: ignore[Posix_Only]
f()  # torchdoctor: ignore[other]
f(  # torchdoctor: ignore
    f())
if a:  # torchdoctor: ignore
    f()
elif f(
    f()):  # torchdoctor: ignore
    pass
try:
    pass
except f:  # torchdoctor: ignore
    f()
    f(
        f())  # torchdoctor: ignore
match a:
    case 1:
        f(  # torchdoctor: ignore
            f())
with a: f(
    f()); f()  # torchdoctor:ignore[posix-only,other]
"""


def find_in_lines(source: SourceFile) -> Outcome:
    lines = [number for number, line in enumerate(source.text.split("\n"), 1) if "f(" in line or "f:" in line]
    findings = tuple(Finding(str(line), Location(source.path, line)) for line in lines)
    return Outcome(
        "posix-only",
        "failed",
        Severity.NOTE,
        (*findings, Finding("no place"), Finding("b", Location("b.py", 2))),
    )


def test_comments_suppress_findings() -> None:
    source = parse_source("a.py", COMMENTED.encode())
    assert isinstance(source, SourceFile)
    (outcome,) = drop_suppressed([find_in_lines(source)], source)
    kept = [finding.message for finding in outcome.findings]
    assert (kept, outcome.suppressed) == (["1", "4", "8", "9", "15", "16", "22", "no place", "b"], 10)


STATUSES = {
    "no last newline": (("x  # torchdoctor: ignore",), "failed", "passed"),
    "all": (("x  # torchdoctor: ignore\n",), "failed", "passed"),
    "errored": (("x  # torchdoctor: ignore\n",), "errored", "errored"),
    "none": (("x  # torchdoctor: nothing\n",), "failed", "failed"),
    "errored and kept": (("x\n# torchdoctor: ignore\n",), "errored", "errored"),
}


@pytest.mark.parametrize("name", STATUSES)
def test_status_without_suppressed_findings(name: str) -> None:
    (text,), before, after = STATUSES[name]
    source = parse_source("a.py", text.encode())
    assert isinstance(source, SourceFile)
    outcome = Outcome("posix-only", before, Severity.NOTE, (Finding("x", Location("a.py", 1)),))
    assert drop_suppressed([outcome], source)[0].status == after


def test_comment_in_a_cell_suppresses_findings_of_its_line() -> None:
    cells = [["x\n", "f()  # torchdoctor: ignore\n"], ["f()\n", "f()\n"]]
    notebook = {
        "cells": [{"cell_type": "code", "source": cell} for cell in cells],
        "nbformat": 4,
        "metadata": {},
    }
    source = parse_source("a.ipynb", json.dumps(notebook).encode())
    assert isinstance(source, SourceFile)
    places = [Location("a.ipynb", line, cell=cell) for cell in (1, 2, 9) for line in (1, 2)]
    outcome = Outcome("posix-only", "failed", Severity.NOTE, tuple(Finding("x", place) for place in places))
    (kept,) = drop_suppressed([outcome], source)
    assert [(each.location.cell, each.location.line) for each in kept.findings if each.location] == [
        (1, 1), (2, 1), (2, 2), (9, 1),
    ]  # fmt: skip


def write_tree(folder: Path) -> Path:
    files = {
        "a.py": "import os\nos.fork()\n",
        "b.py": "import os\nos.fork()  # torchdoctor: ignore\n",
        "broken.py": "import os\nos.fork(\n",
        "c.yaml": "dataloader:\n  num_workers: 16\n",
        "options.py": "_C.DATALOADER.NUM_WORKERS = 8\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def examine(*names: str, paths: list[Path]) -> list[object]:
    checks = [check for check in REGISTRY.checks if check.name in names]
    code = examine_code(paths, checks, WINDOWS, REGISTRY.knowledge)
    notices = [notice.partition(": ")[2] for notice in code.notices]
    places = [
        [each.location and Path(each.location.path).name for each in one.findings] for one in code.outcomes
    ]
    return [[(one.name, one.status, one.observations) for one in code.outcomes], places, notices]


def test_code_is_examined_file_by_file(tmp_path: Path) -> None:
    assert examine("posix-only", "workers-in-config", paths=[write_tree(tmp_path)]) == [
        [("posix-only", "failed", ("1 suppressed by a comment",)), ("workers-in-config", "failed", ())],
        [["a.py"], ["c.yaml", "options.py"]],
        ["not read: line 2: '(' was never closed"],
    ]


def test_options_are_read_only_for_a_check_of_settings(tmp_path: Path) -> None:
    assert examine("posix-only", paths=[write_tree(tmp_path) / "options.py"]) == [
        [("posix-only", "passed", ())],
        [[]],
        [],
    ]


def test_no_code_skips_the_checks_of_code() -> None:
    assert examine("posix-only", paths=[]) == [[("posix-only", "skipped", ())], [[]], []]


@pytest.mark.parametrize(
    ("name", "reason"), [("none.py", "no such file or folder"), ("/dev/null", "neither a file nor a folder")]
)
def test_path_that_cannot_be_read_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        read_code([tmp_path / name], [])


def test_checks_of_code_are_told_from_others() -> None:
    assert [check.name for check in REGISTRY.checks if reads_code(check)] == [
        check.name for check in REGISTRY.checks if REGISTRY.knowledge.entries[check.name].reads_code
    ]


def test_edit_that_cannot_be_tried_is_left_out() -> None:
    source = parse_source("a.py", b"x = 1\n")
    assert isinstance(source, SourceFile)
    edit = Edit("a.py", "change", (Replacement(0, 1, "y"),))
    findings = tuple(Finding(str(i), Location("a.py", 1), edit=edit) for i in range(4))
    outcome = Outcome("posix-only", "failed", Severity.NOTE, findings)

    def keep(*results: object, fact: type = SourceFile, text: str = "") -> int:
        def function(source: SourceFile) -> Iterator[object]:
            for result in results if source.text.startswith(text) else ():
                if isinstance(result, BaseException):
                    raise result
                yield result

        check = Check("posix-only", "", (Parameter("source", fact, False),), function, "p")  # type: ignore[arg-type]
        return sum(
            each.edit is not None for each in drop_unusable_edits([outcome], [check], source)[0].findings
        )

    kept = [
        keep(),
        keep(*findings),
        keep(ValueError()),
        keep(fact=OperatingSystem),
        keep(findings[0], text="x"),
    ]
    assert kept == [4, 0, 0, 0, 4]


NAMES = [check.name for check in REGISTRY.checks]
FAMILIES = {name: REGISTRY.knowledge.entries[name].family for name in NAMES}
SELECTED: dict[str, tuple[list[str], list[str], Callable[[str], bool]]] = {
    "all": ([], [], lambda name: True),
    "one": (["posix_only"], [], lambda name: name == "posix-only"),
    "several": (["posix-only, ,tdr-timeout", "driver-model"], [], lambda name: name in ("posix-only", "tdr-timeout", "driver-model")),
    "family": (["dll"], [], lambda name: FAMILIES[name] == "dll"),
    "ignored": ([], ["posix-only"], lambda name: name != "posix-only"),
    "family without one": (["dll"], ["vc-redist-missing"], lambda name: FAMILIES[name] == "dll" and name != "vc-redist-missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", SELECTED)
def test_selected_checks(name: str) -> None:
    select, ignore, is_selected = SELECTED[name]
    assert [check.name for check in select_checks(REGISTRY, select, ignore)] == [*filter(is_selected, NAMES)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("posix-onli", "posix-onli is neither a check nor a family; did you mean posix-only?"),
        ("zzzzzz", "zzzzzz is neither a check nor a family; torchdoctor checks lists them"),
        ("lost", "lost could not be loaded: why"),
    ],
)
def test_wrong_name_is_refused(name: str, message: str) -> None:
    registry = replace(REGISTRY, broken=(plugins.Broken("lost", "why"),))
    with pytest.raises(UsageError) as refused:
        select_checks(registry, [], [name])
    assert str(refused.value) == message


GROUPS = """
not = before
[torchdoctor.checks]
one = a.checks
# two = b.checks
three = c.checks [extra]
four
[console_scripts]
five = d:main
"""


def test_entry_points_of_a_group_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("z-1.dist-info", GROUPS), ("b-1.egg-info", "[torchdoctor.checks]\nbuiltin = torchdoctor.checks\n"),
                       ("c-1.dist-info", "[other]\na = b\n"), ("d-1.data", GROUPS.replace("one", "six"))):  # fmt: skip
        (tmp_path / name).mkdir()
        (tmp_path / name / "entry_points.txt").write_text(text, encoding="utf-8")
    (tmp_path / "e-1.dist-info").mkdir()
    (tmp_path / "f-1.dist-info").mkdir()
    (tmp_path / "f-1.dist-info" / "entry_points.txt").write_bytes(b"\xff[torchdoctor.checks]\nx = y\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "none"), str(tmp_path), str(tmp_path / "z-1.dist-info" / "entry_points.txt"), 5])  # fmt: skip
    assert [
        (each.name, each.package, each.is_builtin) for each in plugins.find_plugins("torchdoctor.checks")
    ] == [
        ("builtin", "torchdoctor.checks", True),
        ("one", "a.checks", False),
        ("three", "c.checks", False),
    ]


HEAD = '```toml\nfamily = "install"\nseverity = "warning"\n%s\n```\n\n# Title\n\nLead.\n\n## Why\n\nx\n\n## Fix\n\n1. x\n\n## Verify\n\nx\n'
ENTRIES = {
    "their_good.md": HEAD % "",
    "posix_only.md": HEAD % "",
    "their_pattern.md": HEAD % "[[symptoms]]\ntext = 'abcdef'\npattern = '('",
    "their_reference.md": HEAD % 'references = ["a\\u0007"]',
    "their_bytes.md": b"\xff",
    "their_text.txt": "x",
}
CHECK = "from collections.abc import Iterator\nfrom torchdoctor.check import Finding, check\nfrom torchdoctor.facts import OperatingSystem\n@check\ndef {name}(system: OperatingSystem) -> Iterator[Finding]:\n    '''Look.'''\n    yield Finding('x')\n"
CHECKS = {
    "their_good.py": CHECK.format(name="their_good"),
    "their_raise.py": "raise SystemExit(3)",
    "their_other.py": CHECK.format(name="other"),
    "their_two.py": CHECK.format(name="their_two")
    + CHECK.format(name="their_three").partition("OperatingSystem\n")[2],
    "their_lonely.py": CHECK.format(name="their_lonely"),
    "posix_only.py": CHECK.format(name="posix_only"),
}


def write_plugin(folder: Path, package: str) -> None:
    for part, files in (("checks", CHECKS), ("entries", ENTRIES)):
        (folder / f"{package}_{part}").mkdir(parents=True)
        for name, content in {"__init__.py": "", **files}.items():
            file = folder / f"{package}_{part}" / name
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "theirs-1.dist-info").mkdir()
    groups = f"[torchdoctor.checks]\ntheirs = {package}_checks\nlost = {package}_lost\n[torchdoctor.knowledge]\ntheirs = {package}_entries\nlost = {package}_lost\n"
    (folder / "theirs-1.dist-info" / "entry_points.txt").write_text(groups, encoding="utf-8")


def test_plugin_is_loaded_and_what_cannot_be_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plugin(tmp_path, "whole")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    registry = load_registry(lambda entry: "left" if entry.name == "tdr-timeout" else None)
    assert {check.name for check in registry.checks} ^ set(NAMES) == {"their-good", "tdr-timeout"}
    assert [check.name for check in registry.checks] == sorted(check.name for check in registry.checks)
    assert registry.left_out == (("tdr-timeout", "left"),)
    assert [f"{each.name}: {each.reason}" for each in registry.broken] == [
        "lost: whole_lost: ModuleNotFoundError: No module named 'whole_lost'",
        "posix-only: whole_entries repeats an entry that exists already",
        "their-bytes: their_bytes.md: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        "their-pattern: their-pattern: head: a pattern is no regular expression: missing ), unterminated subpattern at position 0",
        "their-reference: their-reference: head: a reference has a control character",
        "lost: whole_lost: ModuleNotFoundError: No module named 'whole_lost'",
        "posix-only: whole_checks.posix_only repeats a check that torchdoctor.checks.posix_only has already",
        "their-lonely: whole_checks.their_lonely has no entry of this name in any knowledge base",
        "their-other: whole_checks.their_other must hold one check, named their_other",
        "their-raise: whole_checks.their_raise: SystemExit: 3",
        "their-two: whole_checks.their_two must hold one check, named their_two",
    ]


def test_installation_without_plugins_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(
        plugins.RegistryError, match="the knowledge base is not installed; reinstall torchdoctor"
    ):
        load_knowledge()


def test_stopwatch_adds_the_times_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1.0, 3.0, 10.0, 10.5, 20.0])
    monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    watch = stopwatch.Stopwatch()
    for name, has_started in (("a", True), ("a", False), ("a", True), ("a", False), ("b", False)):
        watch.watch(name, has_started)
    assert watch.seconds == {"a": 2.5, "b": 0.0}


def test_threads_run_so_many_at_once_and_are_stopped() -> None:
    threads, gate, running = DaemonThreads(2), threading.Event(), threading.Semaphore(0)

    def wait_for_gate(value: int) -> int:
        running.release()
        gate.wait()
        return value

    futures = [threads.submit(wait_for_gate, value) for value in range(2)]
    for _ in futures:
        assert running.acquire(timeout=60)
    waiting = threads.submit(wait_for_gate, 2)
    assert not running.acquire(timeout=0.05)
    threads.stop(0.0)
    gate.set()
    assert [future.result(60) for future in futures] == [0, 1]
    with pytest.raises(CancelledError):
        waiting.result(60)


def test_exception_of_a_thread_is_that_of_its_future() -> None:
    with pytest.raises(SystemExit):
        DaemonThreads(1).submit(sys.exit, 3).result(60)


def make_probe(observe: Callable[[], object]) -> object:
    return SimpleNamespace(needs_interpreter=False, load=lambda: observe)


def test_probes_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> object:
        raise ValueError("x")

    probes = {
        Memory: make_probe(fail),
        Processor: make_probe(lambda: Processor(4, 2)),
        OperatingSystem: make_probe(fail),
    }
    monkeypatch.setattr(examiner, "PROBES", probes)
    seen: set[tuple[str, bool]] = set()
    examination = Examiner().examine([Processor, Memory], lambda *event: seen.add(event))
    assert dict(examination.facts.values) == {
        Memory: Absent("the probe failed: ValueError: x"),
        Processor: Processor(4, 2),
    }
    assert [(each.name, each.reason) for each in examination.broken] == [("probe memory", "ValueError: x")]
    assert seen == {(name, started) for name in ("memory", "processor") for started in (True, False)}
    assert examination.seconds.keys() == {"memory", "processor"}


def test_empty_path_of_a_python_is_refused() -> None:
    with pytest.raises(UsageError, match="the path of the Python to examine is empty"):
        Examiner("")


def test_limit_of_an_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHDOCTOR_TRIAL_SECONDS", "5")
    assert examiner.find_limit() == 80
