"""Code that takes too long is stopped; all other code is not."""

import os
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("is_inside", [False, True], ids=["after-one", "within-one"])
def test_limit_holds_in_a_forked_process(is_inside: bool) -> None:
    with time_limit(0.5 if is_inside else 60):
        if not is_inside:
            # Another thread holds the lock in that moment.
            time_limit_module._watchman._lock.acquire()
        child = os.fork()
        if not child:
            try:
                if is_inside:
                    loop_forever()
                with time_limit(0.2):
                    loop_forever()
            except TimeLimitExceeded:
                os._exit(7)
            os._exit(1)
        if not is_inside:
            time_limit_module._watchman._lock.release()
        end = time.monotonic() + 20
        status = 0
        while not status and time.monotonic() < end:
            try:
                status = os.waitpid(child, os.WNOHANG)[1]
                time.sleep(0.05)
            except TimeLimitExceeded:
                continue
    assert os.waitstatus_to_exitcode(status) == 7
