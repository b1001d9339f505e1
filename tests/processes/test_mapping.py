"""Results come in the order of the items, and a process that dies costs only the item that killed it."""

import atexit
import multiprocessing
import multiprocessing.util
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from torchdoctor.processes.mapping import CHUNK_SIZE, Processes, ThisProcess, map_in_order

DEADLY = 33


def double(items: tuple[int, ...]) -> tuple[int, ...]:
    """Return twice each item, the first chunks last."""
    time.sleep(0.05 if 0 in items else 0)
    return tuple(2 * item for item in items)


def double_or_die(items: tuple[int, ...]) -> tuple[int, ...]:
    """Return twice each item; one of them ends the process."""
    if DEADLY in items:
        os._exit(1)
    return double(items)


def fail(items: tuple[int, ...]) -> tuple[int, ...]:
    """Raise an exception that is no end of the process."""
    raise TimeoutError("the function's own")


def give_up(item: int, reason: str) -> int:
    return -1


@pytest.mark.parametrize("count", [0, 1, CHUNK_SIZE, 10 * CHUNK_SIZE + 1])
def test_results_are_in_order(count: int) -> None:
    expected = [2 * item for item in range(count)]
    assert list(map_in_order(ThisProcess(), double, range(count), give_up)) == expected
    with Processes(2) as engine:
        assert list(map_in_order(engine, double, range(count), give_up)) == expected


def test_item_that_kills_its_process_is_the_only_one_lost() -> None:
    with Processes(2) as engine:
        results = list(map_in_order(engine, double_or_die, range(100), give_up))
        # The engine is of use for the next items.
        assert list(map_in_order(engine, double, range(3), give_up)) == [0, 2, 4]
    assert results == [-1 if item == DEADLY else 2 * item for item in range(100)]


@pytest.mark.parametrize("engine", [ThisProcess(), Processes(1)], ids=["here", "processes"])
def test_exception_of_the_function_is_raised(engine) -> None:
    with pytest.raises(TimeoutError, match="the function's own"):
        list(map_in_order(engine, fail, range(3), give_up))


def test_only_some_items_are_taken_ahead() -> None:
    taken: list[int] = []

    def count() -> Iterator[int]:
        for item in range(100_000):
            taken.append(item)
            yield item

    results = map_in_order(ThisProcess(), double, count(), give_up)
    next(results)
    assert len(taken) < 10 * CHUNK_SIZE


def wait_but_for_the_first(items: tuple[int, ...]) -> tuple[int, ...]:
    time.sleep(0 if 0 in items else 60)
    return items


def test_interrupted_engine_leaves_no_thread_that_ends_later() -> None:
    def be_interrupted() -> None:
        with Processes(2) as engine:
            for _ in map_in_order(engine, wait_but_for_the_first, range(100), give_up):
                raise KeyboardInterrupt

    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        be_interrupted()
    assert set(threading.enumerate()) <= before


def leave_behind(items: tuple[str, ...]) -> tuple[str, ...]:
    """Leave behind what keeps a Python from its end, as an extension may."""
    for item in items:
        if item == "function at exit":
            atexit.register(time.sleep, 600)
        elif item == "thread":
            threading.Thread(target=time.sleep, args=(600,)).start()
        elif item == "process":
            multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,)).start()
        elif item == "finalizer":
            multiprocessing.util.Finalize(None, time.sleep, args=(600,), exitpriority=10)
        elif item == "function at exit that raises":
            atexit.register(fail, items)
    return items


@pytest.mark.parametrize(
    "item", ["function at exit", "thread", "process", "finalizer", "function at exit that raises"]
)
def test_what_the_items_leave_behind_keeps_no_process(item: str, capfd: pytest.CaptureFixture[str]) -> None:
    begun = time.monotonic()
    with Processes(1) as engine:
        assert list(map_in_order(engine, leave_behind, [item], give_up)) == [item]
    assert time.monotonic() - begun < 60
    assert not multiprocessing.active_children()
    assert capfd.readouterr().err == ""


def read_parent(items: tuple[int, ...]) -> tuple[int, ...]:
    return (os.getpid(),)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_processes_end_with_a_parent_that_is_killed() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with Processes(1) as engine:
            [pid] = engine.submit(read_parent, (1,)).result()
            os.write(writer, f"{pid}\n".encode())
            time.sleep(60)
        os._exit(0)
    pid = int(os.read(reader, 20))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the process goes on without its parent")


def test_future_of_this_process_holds_what_was_raised() -> None:
    future: Future[object] = ThisProcess().submit(fail, ())
    assert isinstance(future.exception(), TimeoutError)


CLOSED = """
import multiprocessing, signal, sys, threading, time
# Whoever runs the tests may ignore it, as nohup does.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from torchdoctor.terminal.ending import end_with
from torchdoctor.processes.mapping import Processes, map_in_order
from tests_of_closing import wait
locks = []
def action():
    with Processes(2) as engine:
        if sys.argv[1] == "is-cut-off":
            # The process ends before the lock is given back.
            locks.append(multiprocessing.get_context("spawn").Lock())
            threading.Thread(target=time.sleep, args=(60,)).start()
        for number in map_in_order(engine, wait, range(1000), print):
            print(number, flush=True)
    return 0
if __name__ == "__main__":
    end_with(action)
"""
WAIT = """
import time
def wait(items):
    time.sleep(0.05)
    return items
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("end", ["ends", "is-cut-off"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_to_all_processes_of_a_terminal_prints_nothing(
    tmp_path, number: signal.Signals, end: str
) -> None:
    (tmp_path / "closed.py").write_text(CLOSED)
    (tmp_path / "tests_of_closing.py").write_text(WAIT)
    process = subprocess.Popen(
        [sys.executable, "closed.py", end],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path[:], os.getcwd()))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"0\n"
    os.killpg(process.pid, number)
    _, printed = process.communicate(timeout=30)
    assert (process.returncode, printed) == (128 + number, b"")
