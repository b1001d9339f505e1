"""A limit for the time that Python code in this thread may take."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from torchdoctor.core.daemon_thread import DaemonThread

# The time between two looks at the clock: a limit is kept to within this time.
_POLL_SECONDS = 0.1
# How many times as long as the last start took it is not tried again.
_PAUSE_AFTER_FAILURE = 50


class TimeLimitExceeded(BaseException):
    """The code in a `time_limit` took too long.

    It is no Exception, so that code which catches any of those cannot go on.
    """


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the context when it takes longer; a call into C code first runs to its end.

    Without ctypes, or where no thread can be started as in a browser, there is no limit. A limit inside
    another one replaces it until it ends.

    Raises:
        TimeLimitExceeded: the time is over.
    """
    thread = threading.get_ident()
    before = _watchman.deadlines.get(thread)
    _watchman.set_deadline(thread, time.monotonic() + seconds)
    try:
        yield
    finally:
        if not _watchman.set_deadline(thread, before):
            # The time is over; the exception arrives here at the latest.
            for _ in range(10):
                time.sleep(0)


class _Watchman:
    """A thread that raises an exception in each thread whose time is over."""

    def __init__(self) -> None:
        self.deadlines: dict[int, float] = {}
        self._lock = threading.Lock()
        self._runs = False
        self._next_start = 0.0

    def set_deadline(self, thread: int, deadline: float | None) -> bool:
        """Set or remove the deadline of a thread; return whether it had one that is not over."""
        with self._lock:
            had_deadline = self.deadlines.pop(thread, None) is not None
            if deadline is None:
                return had_deadline
            self.deadlines[thread] = deadline
            self._runs = self._runs or self._start()
            return had_deadline

    def renew(self) -> None:
        """Begin again in a forked process: it has neither the thread nor who held the lock."""
        self._lock = threading.Lock()
        thread = threading.get_ident()
        self.deadlines = {each: deadline for each, deadline in self.deadlines.items() if each == thread}
        self._runs = bool(self.deadlines) and self._start()

    def _start(self) -> bool:
        begun = time.monotonic()
        if begun < self._next_start:
            return False
        try:
            DaemonThread(target=self._watch).start()
        except RuntimeError:
            # Where it takes long to find out that there is no memory, that is not done for each limit.
            seconds = time.monotonic() - begun
            if seconds > _POLL_SECONDS:
                self._next_start = time.monotonic() + _PAUSE_AFTER_FAILURE * seconds
            return False
        return True

    def _watch(self) -> None:
        while True:
            time.sleep(_POLL_SECONDS)
            with self._lock:
                now = time.monotonic()
                for thread in [each for each, deadline in self.deadlines.items() if deadline < now]:
                    del self.deadlines[thread]
                    _interrupt(thread)
                if not self.deadlines:
                    self._runs = False
                    return


def _interrupt(thread: int) -> None:
    try:
        import ctypes

        set_exception = ctypes.pythonapi.PyThreadState_SetAsyncExc
    except (ImportError, AttributeError):
        return
    set_exception(ctypes.c_ulong(thread), ctypes.py_object(TimeLimitExceeded))


_watchman = _Watchman()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watchman.renew)
