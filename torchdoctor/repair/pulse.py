"""The sign of life of a step that runs: what changed after its last one is not of the step.

A step can be cut off by a power failure, and the person can go on working before it is taken back.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torchdoctor.core.daemon_thread import DaemonThread

_FILE = "alive"
_SECONDS = 1.0
# What a step has started ends soon after it.
_GRACE_NS = 3_000_000_000


def begin(folder: Path) -> None:
    """Make the folder, and give the first sign of life in it.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).touch()


@contextmanager
def beating(folder: Path) -> Iterator[None]:
    """Write signs of life while the context runs, by the clock of the disk of the folder.

    Raises:
        OSError: the folder cannot be written to.
    """
    file = folder / _FILE
    os.utime(file)
    has_ended = threading.Event()

    def beat() -> None:
        while not has_ended.wait(_SECONDS):
            try:
                os.utime(file)
            except OSError:
                return  # The folder was deleted; the step itself finds out.

    thread = DaemonThread(target=beat)
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()


def has_begun(folder: Path) -> bool:
    """Return whether there is a sign of life in a folder."""
    return os.path.lexists(folder / _FILE)


def find_end(folder: Path) -> int | None:
    """Return when the step whose signs of life are in a folder had ended, in nanoseconds; None if unknown."""
    try:
        return os.stat(folder / _FILE).st_mtime_ns + _GRACE_NS
    except OSError:
        return None


def is_later(path: str, end: int | None) -> bool:
    """Return whether a file was made, written or moved after that time."""
    if end is None:
        return False
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return max(status.st_ctime_ns, status.st_mtime_ns) > end
