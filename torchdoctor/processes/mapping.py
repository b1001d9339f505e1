"""Apply a function to many items, in order, on whatever runs functions: processes here, or a cluster."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import util
from multiprocessing.connection import wait
from typing import Protocol, TypeVar

from torchdoctor.core.daemon_thread import DaemonThread
from torchdoctor.core.processors import count_processors
from torchdoctor.core.third_parties import hide_uncaught
from torchdoctor.processes.child import POLL_SECONDS

T = TypeVar("T")
R = TypeVar("R")

# Items that are given away at once: so many make up for the way there and back.
CHUNK_SIZE = 16
# Chunks that each process may have waiting for it; more would only take memory.
_CHUNKS_AHEAD = 4
# With fewer items, another process is not worth its start.
_FEW_ITEMS = 4 * CHUNK_SIZE
_MOST_PROCESSES = 32
_SECONDS_TO_END = 2.0


class Engine(Protocol):
    """What runs functions: `concurrent.futures`, Dask and Ray look the same through it."""

    def count_processes(self) -> int:
        """Return how many functions can run at once."""

    def submit(self, function: Callable[..., R], *arguments: object) -> "Future[R]":
        """Start a function; it and what it takes and returns can be pickled."""

    def renew(self) -> None:
        """Make the engine usable again after one of its processes died."""


class ThisProcess:
    """The engine that runs each function here, at once."""

    def count_processes(self) -> int:
        """Return one."""
        return 1

    def submit(self, function: Callable[..., R], *arguments: object) -> "Future[R]":
        """Run a function."""
        future: Future[R] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def renew(self) -> None:
        """Do nothing: nothing can die here alone."""


class Processes:
    """The engine of several processes of this machine, each a new Python; a context manager."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._executor: Executor = self._start()

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, exception_type: type[BaseException] | None, *_: object) -> None:
        # Its thread closes what Python uses at exit, and may do so in that moment if it is not waited for;
        # a process that was killed while it sent its result keeps it.
        ending = DaemonThread(target=self._executor.shutdown, kwargs={"cancel_futures": True})
        if exception_type is None:
            ending.start()
            ending.join(_SECONDS_TO_END)
            if not ending.is_alive():
                return
        # Nobody waits for what they do.
        for process in multiprocessing.active_children():
            process.kill()
        if exception_type is not None:
            ending.start()
        ending.join(_SECONDS_TO_END)

    def count_processes(self) -> int:
        """Return the number of the processes."""
        return self._count

    def submit(self, function: Callable[..., R], *arguments: object) -> "Future[R]":
        """Start a function in one of the processes."""
        with _held_signals():
            return self._executor.submit(function, *arguments)

    def renew(self) -> None:
        """Start other processes; the executor gives up all of them when one dies."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._start()

    def _start(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        # The tracker of their semaphores is started here, and ignores only Ctrl-C and SIGTERM by itself.
        with _held_signals():
            _start_tracker()
            return ProcessPoolExecutor(self._count, context, initializer=_prepare_process)


@contextlib.contextmanager
def _held_signals() -> Iterator[None]:
    """Hold back what a terminal sends to all processes: one that is started here inherits that."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_tracker() -> None:
    """Start what removes the semaphores of a process that ended at once, without its warning of them."""
    if sys.platform == "win32":
        return
    from multiprocessing import resource_tracker

    before = os.environ.get("PYTHONWARNINGS")
    # The last filter that matches counts.
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before, "ignore:resource_tracker")))
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def _prepare_process() -> None:
    """Leave what a terminal sends to the parent, and end with it, also where it is killed."""
    hide_uncaught()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGHUP))
    # Before what third parties left: their functions at exit, their threads, and the processes they started.
    util.Finalize(None, _end_at_once, exitpriority=0)
    # From Python 3.13 on, that is done at the end of Python, and threads are waited for before.
    threading._register_atexit(_end_at_once)  # type: ignore[attr-defined]
    parent = multiprocessing.parent_process()
    if parent is not None:
        DaemonThread(target=_end_with, args=(parent.sentinel,)).start()


def _end_at_once() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextlib.contextmanager
def open_engine_for(items: Iterable[T], count: int) -> Iterator[tuple[Engine, Iterator[T]]]:
    """Return an engine of this machine for items, and all of the items.

    It has `count` processes; with 0, as many as are useful. One is this process.
    """
    source = iter(items)
    first = list(itertools.islice(source, _FEW_ITEMS)) if count == 0 else []
    if count == 0:
        count = 1 if len(first) < _FEW_ITEMS else min(count_processors(), _MOST_PROCESSES)
    all_items = itertools.chain(first, source)
    if count == 1:
        yield ThisProcess(), all_items
        return
    with Processes(count) as processes:
        yield processes, all_items


def map_in_order(
    engine: Engine,
    function: Callable[[Sequence[T]], Sequence[R]],
    items: Iterable[T],
    give_up: Callable[[T, str], R],
) -> Iterator[R]:
    """Yield the result of each item, in order; only a few chunks of items are in memory at a time.

    `function` takes a chunk of items. Where a process dies of a chunk, each item of it is tried alone, and
    what kills the process again gets the result of `give_up`, which is called with the reason.
    """
    source = iter(items)
    chunks: Iterator[tuple[T, ...]] = iter(lambda: tuple(itertools.islice(source, CHUNK_SIZE)), ())
    running: deque[tuple[tuple[T, ...], Future[Sequence[R]]]] = deque()
    most = engine.count_processes() * _CHUNKS_AHEAD
    for chunk in chunks:
        running.append((chunk, _submit(engine, function, chunk)))
        if len(running) >= most:
            yield from _collect(engine, function, *running.popleft(), give_up)
    while running:
        yield from _collect(engine, function, *running.popleft(), give_up)


def _submit(
    engine: Engine, function: Callable[[Sequence[T]], Sequence[R]], chunk: Sequence[T]
) -> "Future[Sequence[R]]":
    try:
        return engine.submit(function, chunk)
    except BrokenExecutor as error:
        future: Future[Sequence[R]] = Future()
        future.set_exception(error)
        return future


def _collect(
    engine: Engine,
    function: Callable[[Sequence[T]], Sequence[R]],
    chunk: Sequence[T],
    future: "Future[Sequence[R]]",
    give_up: Callable[[T, str], R],
) -> Iterator[R]:
    try:
        yield from _wait_for(future)
        return
    except BrokenExecutor:
        pass
    for item in chunk:
        try:
            yield from _wait_for(_submit_again(engine, function, (item,)))
        except BrokenExecutor:
            yield give_up(item, "the process that examined it died")


def _submit_again(
    engine: Engine, function: Callable[[Sequence[T]], Sequence[R]], chunk: Sequence[T]
) -> "Future[Sequence[R]]":
    try:
        return engine.submit(function, chunk)
    except BrokenExecutor:
        engine.renew()
        return engine.submit(function, chunk)


def _wait_for(future: "Future[R]") -> R:
    """Wait for a result in short turns, between which Ctrl-C is seen, which Windows does not do by itself."""
    while not futures.wait((future,), POLL_SECONDS).done:
        pass
    return future.result()
