"""Run code of third parties so that it can neither keep the process nor write into its report."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

_POLL_SECONDS = 0.05


@contextlib.contextmanager
def divert_output() -> Iterator[None]:
    """Send what is printed in the context to standard error."""
    original = sys.__stdout__
    with contextlib.redirect_stdout(sys.stderr):
        sys.__stdout__ = sys.__stderr__  # type: ignore[misc]
        try:
            yield
        finally:
            sys.__stdout__ = original  # type: ignore[misc]


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

    thread = threading.Thread(target=run, daemon=True)
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
