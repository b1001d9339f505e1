"""Code that takes too long is stopped; all other code is not."""

import contextlib
import os
import signal
import threading
import time

import pytest

from torchdoctor.core import time_limit as time_limit_module
from torchdoctor.core.time_limit import TimeLimitExceeded, time_limit


def loop_forever() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


def test_endless_code_is_stopped() -> None:
    with pytest.raises(TimeLimitExceeded), time_limit(0.2):
        loop_forever()


def test_code_after_the_limit_runs_on() -> None:
    for _ in range(3):
        with pytest.raises(TimeLimitExceeded), time_limit(0.01):
            loop_forever()
        with time_limit(60):
            assert sum(range(10)) == 45
    time.sleep(0.3)
    assert sum(range(200_000)) == 19_999_900_000


def test_code_runs_without_a_limit_where_no_thread_can_be_started(monkeypatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    for _ in range(2):
        with time_limit(0.01):
            assert sum(range(10)) == 45


def test_limit_around_a_limit_holds_again() -> None:
    def loop_after_another_limit() -> None:
        with time_limit(60):
            pass
        loop_forever()

    with pytest.raises(TimeLimitExceeded), time_limit(0.3):
        loop_after_another_limit()


def test_each_thread_has_its_own_limit() -> None:
    stopped: list[int] = []

    def run(number: int) -> None:
        try:
            with time_limit(0.1 if number % 2 else 60):
                loop_forever() if number % 2 else time.sleep(0.5)
        except TimeLimitExceeded:
            stopped.append(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(stopped) == [1, 3]


def be_stopped(seconds: float | None) -> int:
    """Return 7 if endless code is stopped, by a limit of its own or one that is there."""
    try:
        with contextlib.nullcontext() if seconds is None else time_limit(seconds):
            loop_forever()
    except TimeLimitExceeded:
        return 7
    return 1


def fork(seconds: float | None) -> int:
    """Return the id of a forked process that ends with the result of `be_stopped`."""
    child = os.fork()
    if not child:
        # Whatever happens here, pytest has to go on in the parent alone.
        code = 3
        try:
            signal.alarm(20)
            code = be_stopped(seconds)
        finally:
            os._exit(code)
    return child


def read_exit_code(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_limit_holds_in_a_process_forked_within_one() -> None:
    with time_limit(2):
        child = fork(None)
    assert read_exit_code(child) == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_limit_holds_in_a_process_forked_after_one() -> None:
    # Another thread holds the lock in that moment.
    with time_limit(60), time_limit_module._watchman._lock:
        child = fork(0.2)
    assert read_exit_code(child) == 7
