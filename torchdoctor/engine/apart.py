"""Run code of third parties so that it can neither keep the process nor write into its report."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar, cast

from torchdoctor.core.controls import remove_controls
from torchdoctor.core.daemon_thread import DaemonThread

T = TypeVar("T")

_POLL_SECONDS = 0.05


@contextlib.contextmanager
def divert_output() -> Iterator[None]:
    """Send what is printed in the context to standard error, without control characters.

    A thread that goes on behind it prints there as well: the report is written by the thread that is here.
    """
    shown = None if sys.stderr is None else cast("TextIO", _CleanStream(sys.stderr))
    original = sys.__stdout__
    if sys.stdout is not None and shown is not None and not isinstance(sys.stdout, _StreamOfThread):
        sys.stdout = cast("TextIO", _StreamOfThread(sys.stdout, shown))
    with contextlib.redirect_stdout(shown):
        sys.__stdout__ = shown  # type: ignore[misc, assignment]
        try:
            yield
        finally:
            sys.__stdout__ = original  # type: ignore[misc]


class _CleanStream:
    """A stream that leaves out control characters: they could change what stands on the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(remove_controls(text))
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class _StreamOfThread:
    """A stream for the thread that made it; what others write goes to another stream."""

    def __init__(self, stream: TextIO, other: TextIO) -> None:
        self._stream, self._other, self._thread = stream, other, threading.get_ident()

    def write(self, text: str) -> int:
        is_own = threading.get_ident() == self._thread
        return (self._stream if is_own else self._other).write(text)

    def writelines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def call_apart(function: Callable[[], T], seconds: float) -> T | BaseException | None:
    """Return the result of a function or what it raises; None if it does not end in time, and goes on.

    It runs in a thread of its own, and a limit of recursion that it sets does not stay.
    A browser has no threads: there it runs in this one, without a limit.
    """
    answers: list[T | BaseException] = []
    recursion_limit = sys.getrecursionlimit()

    def run() -> None:
        try:
            answers.append(function())
        except BaseException as error:
            answers.append(error)

    thread = DaemonThread(target=run)
    try:
        thread.start()
    except RuntimeError:
        return function()
    deadline = time.monotonic() + seconds
    while thread.is_alive() and time.monotonic() < deadline:
        # Ctrl-C is not seen on Windows while a thread waits for long.
        thread.join(_POLL_SECONDS)
    if sys.getrecursionlimit() != recursion_limit:
        sys.setrecursionlimit(recursion_limit)
    return answers[0] if answers else None
