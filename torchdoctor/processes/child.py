"""Run a program that may print garbage, crash or hang, with a time limit."""

import contextlib
import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from torchdoctor.core.daemon_thread import DaemonThread
from torchdoctor.core.failures import is_shortage
from torchdoctor.core.record import record
from torchdoctor.core.tails import take_last_lines
from torchdoctor.processes import marks, process_tree

TAIL_BYTES = 64 * 1024
_CHUNK_BYTES = 16 * 1024
# How long to wait for a pipe that a grandchild keeps open.
_DRAIN_SECONDS = 2.0
# The time between two calls of `give_up`, and the longest wait for a thread: on Windows, Ctrl-C does not
# interrupt one.
POLL_SECONDS = 0.2

_is_stopping = threading.Event()


@record
class ChildResult:
    """How a child ended; `exit_code` is None if it was killed at the time limit or by `give_up`."""

    exit_code: int | None
    seconds: float
    stdout_tail: str
    stderr_tail: str


class ChildError(Exception):
    """The program could not be started, or was stopped; the message is one line."""


@contextlib.contextmanager
def stopped_children() -> Iterator[None]:
    """End the children that other threads run, and start no more, while the context lasts.

    `run_child` in those threads raises ChildError.
    """
    _is_stopping.set()
    try:
        yield
    finally:
        _is_stopping.clear()


def run_child(
    command: Sequence[str],
    *,
    time_limit_seconds: float,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    give_up: Callable[[], bool] | None = None,
    folder: str | None = None,
    listener: Callable[[bytes], None] | None = None,
) -> ChildResult:
    """Run a program until it ends or reaches the time limit; return how it ended and the end of its output.

    `give_up` is called several times a second; if it returns True, the program is killed at once. `folder` is
    its current one, by default that of this process. `listener` gets what it prints, as it comes, in threads.

    Raises:
        ChildError: the program could not be started, or was ended by `stopped_children`.
    """
    started = time.monotonic()
    mark = marks.make_mark()
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**(os.environ if environment is None else environment), marks.VARIABLE: mark},
            cwd=folder,
            start_new_session=os.name != "nt",
        )
    except (OSError, ValueError) as error:
        raise ChildError(f"{command[0]}: {getattr(error, 'strerror', None) or error}") from error
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    tree = process_tree.open_tree(process.pid)
    try:
        tails = [_Tail(process.stdout, listener), _Tail(process.stderr, listener)]
        DaemonThread(target=_write, args=(process.stdin, stdin)).start()
        exit_code = _wait(process, time_limit_seconds, give_up)
    except BaseException as error:
        _kill(process, tree)
        process_tree.end_tree(tree)
        marks.kill_marked(mark)
        if is_shortage(error):
            raise ChildError(f"{command[0]}: {error}") from error
        raise
    seconds = time.monotonic() - started
    if exit_code is None:
        _kill(process, tree)
    # What left the group may hold the pipes open.
    marks.kill_marked(mark)
    deadline = time.monotonic() + _DRAIN_SECONDS
    stdout_tail, stderr_tail = (tail.read(deadline - time.monotonic()) for tail in tails)
    # Processes that it started may still run: workers, programs, forks.
    process_tree.end_tree(tree)
    return ChildResult(exit_code, seconds, stdout_tail, stderr_tail)


def _wait(process: subprocess.Popen[bytes], seconds: float, give_up: Callable[[], bool] | None) -> int | None:
    # Except on Windows, Popen.wait with a time limit polls, and sleeps for up to 50 ms in between.
    waiter = DaemonThread(target=process.wait)
    waiter.start()
    deadline = time.monotonic() + seconds
    while True:
        remaining_seconds = max(0.0, deadline - time.monotonic())
        waiter.join(min(remaining_seconds, POLL_SECONDS))
        if not waiter.is_alive():
            return process.returncode
        if _is_stopping.is_set():
            raise ChildError("interrupted")
        if remaining_seconds <= POLL_SECONDS or (give_up is not None and give_up()):
            return None


class _Tail:
    """The end of what a pipe delivers, read by a thread."""

    def __init__(self, pipe: IO[bytes], listener: Callable[[bytes], None] | None) -> None:
        self._chunks: deque[bytes] = deque(maxlen=TAIL_BYTES // _CHUNK_BYTES + 1)
        self._pipe = pipe
        self._listener = listener
        self._thread = DaemonThread(target=self._drain)
        self._thread.start()

    def _drain(self) -> None:
        try:
            with self._pipe:
                while chunk := os.read(self._pipe.fileno(), _CHUNK_BYTES):
                    if self._listener is not None:
                        self._listener(chunk)
                    # The deque limits the number of chunks, so small ones are joined.
                    if self._chunks and len(self._chunks[-1]) + len(chunk) <= _CHUNK_BYTES:
                        chunk = self._chunks.pop() + chunk
                    self._chunks.append(chunk)
        except (OSError, ValueError):
            pass

    def read(self, timeout_seconds: float) -> str:
        self._thread.join(max(0.0, timeout_seconds))
        text = b"".join(self._chunks).decode("utf-8", errors="replace")
        return take_last_lines(text.replace("\r\n", "\n"), TAIL_BYTES)


def _write(pipe: IO[bytes], data: bytes) -> None:
    try:
        with pipe:
            pipe.write(data)
    except OSError:
        pass


def _kill(process: subprocess.Popen[bytes], tree: int) -> None:
    """Kill the child and all its descendants."""
    process_tree.kill_tree(tree)
    process.kill()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        pass
