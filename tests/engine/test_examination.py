"""Probes, threads and limits of an examination."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from types import SimpleNamespace

import pytest

from torchdoctor.core.usage import UsageError
from torchdoctor.engine import examiner, stopwatch
from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.threads import DaemonThreads
from torchdoctor.facts import Absent, Memory, OperatingSystem, Processor


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
