"""A thread that does not keep the process, and whose start does not hang where memory is short."""

import threading
from collections.abc import Callable, Mapping

# A thread on a busy machine begins within a second or two; where one got no memory, others get none either.
_SECONDS_TO_BEGIN = 15.0
_SECONDS_AFTER_A_FAILURE = 1.0


class DaemonThread(threading.Thread):
    """A daemon thread. `start` raises RuntimeError also where the new thread ends before it begins.

    Python waits for its beginning without a limit, and a thread that gets no memory never begins.
    """

    def __init__(
        self,
        target: Callable[..., object] | None = None,
        args: tuple[object, ...] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(target=target, args=args, kwargs=kwargs, daemon=True)

    def start(self) -> None:
        """Start the thread.

        Raises:
            RuntimeError: there is no memory for it.
        """
        self._started = _Beginning()
        super().start()


class _Beginning(threading.Event):
    """The event that `Thread.start` waits for."""

    _seconds: float | None = None

    def wait(self, timeout: float | None = None) -> bool:
        if not super().wait(_Beginning._seconds or _SECONDS_TO_BEGIN):
            _Beginning._seconds = _SECONDS_AFTER_A_FAILURE
            raise RuntimeError("can't start new thread")
        return True
