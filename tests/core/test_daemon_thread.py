"""A thread that gets no memory is an error, not a wait without an end."""

import sys
import threading
import time
from concurrent.futures import wait

import pytest

from torchdoctor.core import daemon_thread, time_limit
from torchdoctor.core.daemon_thread import DaemonThread
from torchdoctor.engine.threads import DaemonThreads
from torchdoctor.processes.child import ChildError, run_child


@pytest.fixture
def threads_end_before_they_begin(monkeypatch) -> None:
    """End new threads as the system does where the first call in them gets no memory."""
    monkeypatch.setattr(daemon_thread, "_SECONDS_TO_BEGIN", 0.2)
    monkeypatch.setattr(daemon_thread._Beginning, "_seconds", None)
    monkeypatch.setattr(DaemonThread, "_bootstrap", lambda self: None)


@pytest.fixture
def no_thread_starts(monkeypatch) -> None:
    def start(self: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)


SHORTAGES = ["threads_end_before_they_begin", "no_thread_starts"]


def test_thread_runs_its_function_and_keeps_no_process() -> None:
    seen: list[int] = []
    thread = DaemonThread(target=seen.append, args=(1,))
    thread.start()
    thread.join(60)
    assert (seen, thread.daemon) == ([1], True)


@pytest.mark.parametrize("shortage", SHORTAGES)
def test_start_without_memory_is_an_error(request, shortage: str) -> None:
    request.getfixturevalue(shortage)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        DaemonThread(target=print).start()


@pytest.mark.parametrize("shortage", SHORTAGES)
def test_each_function_fails_that_gets_no_thread(request, shortage: str) -> None:
    request.getfixturevalue(shortage)
    threads = DaemonThreads(2)
    futures = [threads.submit(int, number) for number in range(20)]
    assert wait(futures, 60).not_done == set()
    assert {type(future.exception()) for future in futures} == {RuntimeError}


@pytest.mark.parametrize("shortage", SHORTAGES)
def test_child_that_cannot_be_watched_is_ended(request, shortage: str, tmp_path) -> None:
    request.getfixturevalue(shortage)
    file = tmp_path / "goes-on"
    code = f"import time; time.sleep(3); open({str(file)!r}, 'w')"
    with pytest.raises(ChildError, match="can't start new thread"):
        run_child((sys.executable, "-c", code), time_limit_seconds=60)
    time.sleep(4)
    assert not file.exists()


class Unnamable(BaseException):
    """What ends a function without being an Exception."""


@pytest.mark.parametrize("error", [MemoryError, Unnamable, SystemExit])
def test_future_holds_whatever_ended_its_function(error: type[BaseException]) -> None:
    def fail() -> None:
        raise error

    assert isinstance(DaemonThreads(1).submit(fail).exception(60), error)


def test_limits_do_not_wait_again_for_a_thread_that_got_no_memory(
    threads_end_before_they_begin, monkeypatch
) -> None:
    monkeypatch.setattr(time_limit, "_watchman", time_limit._Watchman())
    begun = time.monotonic()
    for _ in range(100):
        with time_limit.time_limit(60):
            pass
    assert time.monotonic() - begun < 20
