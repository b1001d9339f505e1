"""End the process with the exit code of a command, of a failure or of a signal."""

import _thread
import contextlib
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NoReturn

from torchdoctor.core.daemon_thread import DaemonThread
from torchdoctor.core.failures import describe_failure
from torchdoctor.core.third_parties import hide_uncaught, imported_modules
from torchdoctor.terminal.screen import OutputError, discard_output, show_message

# What third parties left running may take at the end of the process.
_SECONDS_TO_END = 2.0
_SECONDS_AFTER_A_SIGNAL = 0.5
_SECONDS_TO_REPEAT = 0.01


def end_with(action: Callable[[], int]) -> NoReturn:
    """Call an action, and end with its exit code; a failure is one line on stderr and 2 (usage) or 3.

    Raises:
        SystemExit: always; after SIGTERM or SIGHUP, with 128 and the number of the signal.
    """
    hide_uncaught()
    signals = _Signals()
    try:
        _end_with(action, signals.received)
    except SystemExit as end:
        for name in ("stdout", "stderr"):
            try:
                getattr(sys, name).flush()
            except (OSError, ValueError):
                # Python flushes it once more at its end, and makes 120 of the exit code where that fails.
                setattr(sys, name, None)
            except AttributeError:
                pass
        # Nothing is left to be interrupted, and Python would print a traceback of it.
        signals.release()
        code = end.code if isinstance(end.code, int) else 0
        if signals.received:
            # A process that was killed while it sent its result keeps the thread that waits for the rest.
            _end_in_time(code, _SECONDS_AFTER_A_SIGNAL)
        elif imported_modules:
            _end_in_time(code, _SECONDS_TO_END)
        raise


def _end_in_time(exit_code: int, seconds: float) -> None:
    """End the process even if a thread or a function at exit keeps it alive."""

    def end() -> None:
        time.sleep(seconds)
        os._exit(exit_code)

    with contextlib.suppress(RuntimeError):
        DaemonThread(target=end).start()


def _end_with(action: Callable[[], int], signals: Sequence[int]) -> NoReturn:
    try:
        raise SystemExit(action())
    except OutputError as error:
        _end_if_terminal_is_closed()
        discard_output()
        show_message(str(error))
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(128 + (signals[0] if signals else signal.SIGINT)) from None
    except SystemExit:
        if signals:
            raise SystemExit(128 + signals[0]) from None
        raise
    except OSError as error:
        _end_if_terminal_is_closed()
        if error.errno != errno.ENOSPC:
            message, code = describe_failure(error)
            show_message(message)
            raise SystemExit(code) from None
        # The text of --help, which the parser writes itself.
        discard_output()
        show_message(f"the output cannot be written: {error.strerror}")
        raise SystemExit(2) from None
    except Exception as error:
        if signals:
            # Python may make another exception of the interruption of an import.
            raise SystemExit(128 + signals[0]) from None
        from torchdoctor.engine.plugins import RegistryError

        message, code = (str(error), 3) if isinstance(error, RegistryError) else describe_failure(error)
        show_message(message)
        raise SystemExit(code) from None


def _end_if_terminal_is_closed() -> None:
    """End as by the signal that tells of it: a read or a write can fail before the signal comes.

    Raises:
        SystemExit: a standard stream is a terminal that was closed.
    """
    if sys.platform == "win32":
        return
    import termios

    for stream in range(3):
        try:
            termios.tcgetattr(stream)
        except termios.error as error:
            if error.args[0] == errno.EIO:
                raise SystemExit(128 + signal.SIGHUP) from None


class _Signals:
    """Ends by SIGTERM and SIGHUP as by Ctrl-C, so that no child is left.

    Another signal while the children are ended is ignored: that takes seconds at most.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")]
        unchanged = (signal.SIG_DFL, signal.default_int_handler)
        self._handled = [each for each in numbers if each is not None and signal.getsignal(each) in unchanged]
        for each in self._handled:
            signal.signal(each, self._interrupt)

        self._is_lost = False
        self._show_ignored = sys.unraisablehook
        sys.unraisablehook = self._see_ignored

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.received and not self._is_lost:
            return
        while frame is not None:
            if frame.f_code is _Signals._see_ignored.__code__:
                # There it would be dropped once more.
                self._repeat_later()
                return
            frame = frame.f_back
        self._is_lost = False
        self.received.append(number)
        raise KeyboardInterrupt

    def _see_ignored(self, event: "sys.UnraisableHookArgs") -> None:
        """Interrupt again where Python drops the exception: in `__del__`, or where an object ends."""
        if not (self.received and issubclass(event.exc_type, KeyboardInterrupt)):
            self._show_ignored(event)
            return
        self._is_lost = True
        self._repeat_later()

    def _repeat_later(self) -> None:
        """Send the signal once more, so that it is handled when the callback has ended."""
        with contextlib.suppress(RuntimeError):
            DaemonThread(target=self._repeat).start()

    def _repeat(self) -> None:
        time.sleep(_SECONDS_TO_REPEAT)
        main = threading.main_thread().ident
        if sys.platform == "win32" or main is None:
            _thread.interrupt_main(signal.Signals(self.received[0]))
        else:
            signal.pthread_kill(main, self.received[0])

    def release(self) -> None:
        """Restore the default action, with which a signal ends the process at once, unless one has come."""
        self._set(signal.SIG_IGN if self.received else signal.SIG_DFL)

    def _set(self, action: signal.Handlers) -> None:
        for each in self._handled:
            signal.signal(each, action)
