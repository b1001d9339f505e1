"""Runs a program as a plain run would, output and signals included, and keeps the end of its output."""

import os
import signal
import subprocess
import sys
import threading
from collections import deque, namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from torchdoctor.core.usage import UsageError
from torchdoctor.processes import process_tree

TAIL_BYTES = 256 * 1024
_CHUNK_BYTES = 64 * 1024
# How long processes may take to end by themselves after the program: DataLoader workers do.
_GRACE_SECONDS = 1.0


class ProgramError(UsageError):
    """The program could not be started; the message is one line."""


class Finished(namedtuple("Finished", ("exit_code", "interrupted", "output"))):
    """How a program ended: its exit code as `subprocess` gives it, and the end of its output."""

    __slots__ = ()
    exit_code: int
    interrupted: bool
    output: bytes


def run_program(
    command: Sequence[str], environment: Mapping[str, str], meanwhile: Callable[[], object] | None = None
) -> Finished:
    """Run a program to its end, and end whatever it left running; `meanwhile` is called once it runs.

    A stream that goes to a terminal is inherited, and nothing of it is kept; any other one is passed on
    byte by byte as it comes.

    Raises:
        ProgramError: the program could not be started.
    """
    process_tree.adopt_descendants()
    shared = _goes_to_one_file()
    out = None if _is_terminal(1) else subprocess.PIPE
    error = None if _is_terminal(2) else subprocess.STDOUT if shared else subprocess.PIPE
    interruptions: list[int] = []
    sys.stdout.flush()
    with _passing_signals(interruptions) as processes:
        try:
            process = subprocess.Popen(list(command), stdout=out, stderr=error, env=dict(environment))
        except (OSError, ValueError) as failure:
            raise ProgramError(
                f"cannot start {command[0]}: {getattr(failure, 'strerror', None) or failure}"
            ) from failure
        processes.append(process)
        if meanwhile is not None:
            threading.Thread(target=meanwhile, daemon=True).start()
        pumps = [
            _Pump(pipe.fileno(), target)
            for pipe, target in ((process.stdout, 1), (process.stderr, 2))
            if pipe
        ]
        exit_code = process.wait()
        process_tree.end_descendants(_GRACE_SECONDS)
    for pump in pumps:
        pump.join(_GRACE_SECONDS)
    return Finished(exit_code, bool(interruptions), b"\n".join(pump.tail() for pump in pumps))


def _is_terminal(number: int) -> bool:
    try:
        return os.isatty(number)
    except OSError:
        return False


def _goes_to_one_file() -> bool:
    """Tell whether both outputs are one (`2>&1`): then the order of what comes must stay."""
    if os.name == "nt" or _is_terminal(1) or _is_terminal(2):
        return False
    try:
        return os.path.sameopenfile(1, 2)
    except OSError:
        return False


class _Pump(threading.Thread):
    """Passes a pipe on to one of our own streams, and keeps its end."""

    def __init__(self, source: int, target: int) -> None:
        super().__init__(daemon=True)
        self._source = source
        self._target = target
        self._chunks: deque[bytes] = deque()
        self._kept = 0
        self.start()

    def run(self) -> None:
        try:
            while chunk := os.read(self._source, _CHUNK_BYTES):
                self._keep(chunk)
                rest = memoryview(chunk)
                while rest:
                    rest = rest[os.write(self._target, rest) :]
        except OSError:
            # Our reader has gone: let the program find out as it would without us.
            try:
                os.close(self._source)
            except OSError:
                pass

    def _keep(self, chunk: bytes) -> None:
        self._kept += len(chunk)
        if self._chunks and len(self._chunks[-1]) + len(chunk) <= _CHUNK_BYTES:
            chunk = self._chunks.pop() + chunk
        self._chunks.append(chunk)
        while self._kept - len(self._chunks[0]) > TAIL_BYTES:
            self._kept -= len(self._chunks.popleft())

    def tail(self) -> bytes:
        """Give the end of what came."""
        return b"".join(self._chunks)[-TAIL_BYTES:]


@contextmanager
def _passing_signals(interruptions: list[int]) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Stay alive for as long as the program does, and pass on what only we were sent.

    Ctrl-C on a terminal reaches the program without us: sending it again would break its clean-up.
    """
    processes: list[subprocess.Popen[bytes]] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            interruptions.append(number)
            if os.name == "nt" or _is_in_foreground():
                return
        for process in processes:
            if os.name != "nt" and process.returncode is None:
                process.send_signal(number)

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK", "SIGUSR1", "SIGUSR2")
    known = [signal.Signals[name] for name in names if name in signal.Signals.__members__]
    previous = {
        number: signal.signal(number, handle)
        for number in known
        # What our caller had us ignore (nohup) stays ignored, in the program as well.
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield processes
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _is_in_foreground() -> bool:
    if sys.platform == "win32":
        return True
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def end_as(exit_code: int) -> int:
    """End this process by the signal that ended the program, or give the exit code to exit with."""
    if sys.platform == "win32":
        # An NTSTATUS does not fit into the C int that exit takes, unless it is negative.
        return exit_code - (1 << 32) if exit_code >= 1 << 31 else exit_code
    if exit_code >= 0:
        return exit_code
    import resource

    # The program has dumped its core already.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        signal.signal(-exit_code, signal.SIG_DFL)
    except (OSError, ValueError):
        pass  # SIGKILL has no handler to reset.
    os.kill(os.getpid(), -exit_code)
    return 128 - exit_code
