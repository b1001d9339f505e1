"""Threads for probes. One that hangs, as on the disk of a network, does not keep the process from ending."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from torchdoctor.core.daemon_thread import DaemonThread

T = TypeVar("T")


class DaemonThreads:
    """Runs functions in threads, at most so many at once, in the order in which they are submitted."""

    def __init__(self, most: int) -> None:
        self._slots = threading.Semaphore(most)
        self._futures: list[Future[Any]] = []
        self._failure: Exception | None = None

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Run a function in a thread, and return its future; it fails where no thread can be started."""
        future: Future[T] = Future()
        self._futures.append(future)
        if self._failure is None:
            try:
                DaemonThread(target=self._run, args=(future, function, arguments)).start()
            except (RuntimeError, MemoryError) as error:
                # The next one would get no memory either.
                self._failure = error
        if self._failure is not None and future.set_running_or_notify_cancel():
            future.set_exception(self._failure)
        return future

    def _run(self, future: Future[T], function: Callable[..., T], arguments: tuple[object, ...]) -> None:
        try:
            with self._slots:
                if not future.set_running_or_notify_cancel():
                    return
                result = function(*arguments)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def stop(self, seconds: float) -> None:
        """Start no more functions, and wait for those that run, at most so long."""
        for future in self._futures:
            future.cancel()
        wait([future for future in self._futures if not future.cancelled()], seconds)
