"""Run a program with the output and the signals of a plain run, and keep the end of its output."""

import os
import signal
import subprocess
import sys
from collections import deque, namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from torchdoctor.core.daemon_thread import DaemonThread
from torchdoctor.core.tails import take_end
from torchdoctor.core.usage import UsageError
from torchdoctor.processes import process_tree
from torchdoctor.processes.exit_codes import describe_exit
from torchdoctor.processes.group_signals import Witness

# A program is started without importing `typing` first.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

TAIL_BYTES = 256 * 1024
_CHUNK_BYTES = 64 * 1024
# How long processes such as DataLoader workers may take to end by themselves after the program.
_GRACE_SECONDS = 1.0


class ProgramError(UsageError):
    """The program could not be started; the message is one line."""


class ProgramResult(
    namedtuple("ProgramResult", ("exit_code", "interrupted", "output", "worker_exits"), defaults=((),))
):
    """How a program ended: exit code as in `subprocess`, whether Ctrl-C was pressed, end of its output.

    `worker_exits` has the process ID and the exit code of each process of multiprocessing that ended with
    an unusual one.
    """

    __slots__ = ()
    exit_code: int
    interrupted: bool
    output: bytes
    worker_exits: tuple[tuple[int, int], ...]

    @property
    def output_with_ending(self) -> bytes:
        """The end of the output, and a line with each exit code, which may be all there is to explain."""
        lines = [
            f"Worker process {number} finished with {describe_exit(code, is_windows=os.name == 'nt')}"
            for number, code in self.worker_exits
        ]
        return (
            self.output
            + "\n".join(["", *lines, f"Process finished with exit code {self.exit_code}", ""]).encode()
        )


def run_program(
    command: Sequence[str], environment: Mapping[str, str], meanwhile: Callable[[], object] | None = None
) -> ProgramResult:
    """Run a program until it ends, then end the processes that it left running.

    `meanwhile` is called in a thread once the program runs. An output stream that goes to a terminal is
    inherited and not kept; any other one is copied byte by byte as it arrives.

    Raises:
        ProgramError: the program could not be started.
    """
    process_tree.adopt_descendants()
    stdout = None if _is_terminal(1) else subprocess.PIPE
    stderr = None if _is_terminal(2) else subprocess.PIPE
    if _is_output_shared():
        stderr = subprocess.STDOUT
    interruptions: list[int] = []
    sys.stdout.flush()
    with _forward_signals(interruptions) as (processes, witness):
        try:
            process = subprocess.Popen(list(command), stdout=stdout, stderr=stderr, env=dict(environment))
        except (OSError, ValueError) as failure:
            raise ProgramError(
                f"cannot start {command[0]}: {getattr(failure, 'strerror', None) or failure}"
            ) from failure
        processes.append(process)
        if meanwhile is not None:
            DaemonThread(target=meanwhile).start()
        pumps = [_Pump(pipe, target) for pipe, target in ((process.stdout, 1), (process.stderr, 2)) if pipe]
        exit_code = process.wait()
        witness.close()
        process_tree.end_descendants(_GRACE_SECONDS)
    for pump in pumps:
        pump.join(_GRACE_SECONDS)
    return ProgramResult(exit_code, bool(interruptions), b"\n".join(pump.tail() for pump in pumps))


def _is_terminal(number: int) -> bool:
    try:
        return os.isatty(number)
    except OSError:
        return False


def _is_output_shared() -> bool:
    """Return whether stdout and stderr are one file (`2>&1`), so that the output must stay in order."""
    if os.name == "nt" or _is_terminal(1) or _is_terminal(2):
        return False
    try:
        return os.path.sameopenfile(1, 2)
    except OSError:
        return False


class _Pump(DaemonThread):
    """A thread that copies a pipe to a stream of this process, and keeps the end of what it copied."""

    def __init__(self, source: "IO[bytes]", target: int) -> None:
        super().__init__()
        self._source = source
        self._target = target
        self._chunks: deque[bytes] = deque()
        self._kept_bytes = 0
        self.start()

    def run(self) -> None:
        try:
            while chunk := os.read(self._source.fileno(), _CHUNK_BYTES):
                self._keep(chunk)
                unwritten = memoryview(chunk)
                while unwritten:
                    unwritten = unwritten[os.write(self._target, unwritten) :]
        except OSError:
            pass
        finally:
            # Where the reader of the output is gone, the program gets the usual error.
            self._source.close()

    def _keep(self, chunk: bytes) -> None:
        self._kept_bytes += len(chunk)
        if self._chunks and len(self._chunks[-1]) + len(chunk) <= _CHUNK_BYTES:
            chunk = self._chunks.pop() + chunk
        self._chunks.append(chunk)
        while self._kept_bytes - len(self._chunks[0]) > TAIL_BYTES:
            self._kept_bytes -= len(self._chunks.popleft())

    def tail(self) -> bytes:
        """Return the end of what was copied; of one long line, its end."""
        return take_end(b"".join(self._chunks), TAIL_BYTES)


@contextmanager
def _forward_signals(
    interruptions: list[int],
) -> Iterator[tuple[list["subprocess.Popen[bytes]"], Witness]]:
    """Survive signals while the program runs, and forward to it those that only this process received.

    The caller adds the program to the list that is yielded, and closes the witness when it has ended. What is
    sent to a whole group also reaches the program directly, and a second one would interrupt its clean-up.
    """
    processes: list[subprocess.Popen[bytes]] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            interruptions.append(number)
        if os.name == "nt" or witness.has_seen(number):
            return
        for process in processes:
            if process.returncode is None:
                process.send_signal(number)

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK", "SIGUSR1", "SIGUSR2")
    available = [signal.Signals[name] for name in names if name in signal.Signals.__members__]
    # A signal that is ignored already (nohup) stays ignored, also in the program.
    heard = [number for number in available if signal.getsignal(number) is not signal.SIG_IGN]
    witness = Witness(heard)
    previous = {number: signal.signal(number, handle) for number in heard}
    try:
        yield processes, witness
    finally:
        witness.close()
        for number, handler in previous.items():
            signal.signal(number, handler)


def exit_as(exit_code: int) -> int:
    """End this process by the signal that ended the program, or return the exit code to exit with."""
    if sys.platform == "win32":
        # exit takes a C int, into which an NTSTATUS fits only as a negative number.
        return exit_code - (1 << 32) if exit_code >= 1 << 31 else exit_code
    if exit_code >= 0:
        return exit_code
    import resource

    # The program has already dumped its core.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        signal.signal(-exit_code, signal.SIG_DFL)
    except (OSError, ValueError):
        pass  # SIGKILL has no handler to reset.
    os.kill(os.getpid(), -exit_code)
    return 128 - exit_code
