"""Recognise the signals that all processes of this process's group get, and not this one alone.

A terminal, `timeout`, systemd and the schedulers of clusters send a signal to every process that they
started. What this process then passes on to a program reaches it twice, and ends what it saves. So a process
that only waits stands beside it, and tells which signals it gets as well.
"""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence

# How long a signal to all may take to reach one more process.
_SECONDS_APART = 0.25
_SCRIPT = """
import os, signal, sys
numbers = [int(each) for each in sys.argv[1:]]
for number in numbers:
    signal.signal(number, lambda number, frame: os.write(1, bytes([number])))
signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
os.read(0, 1)
"""


class Witness:
    """A process of the same group; where none can be started, no signal counts as one to all."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._seen = bytearray()
        if sys.platform == "win32":
            return
        # What comes before the new process can handle it has to wait there.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SCRIPT, *map(str, map(int, numbers))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, cwd="/",
            )  # fmt: skip
        except (OSError, ValueError, TypeError):
            pass
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def has_seen(self, number: int) -> bool:
        """Return whether the other process got a signal as well; waits a moment for it."""
        while number not in self._seen and (part := self._read(_SECONDS_APART)):
            self._seen += part
        while part := self._read(0):
            self._seen += part
        is_seen = number in self._seen
        # Of several that come together, this process sees one.
        self._seen = self._seen.replace(bytes([number]), b"")
        return is_seen

    def _read(self, seconds: float) -> bytes:
        if self._process is None or self._process.stdout is None:
            return b""
        try:
            told = self._process.stdout.fileno()
            return os.read(told, 64) if select.select([told], [], [], seconds)[0] else b""
        except (OSError, ValueError):
            return b""

    def close(self) -> None:
        """End the other process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
