"""Run the doctor that a host of a cluster has; this is sent there as text, whatever is installed there."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO

_MOST_BYTES = 32 << 20
_TAIL_BYTES = 4096
# How long the doctor may take to end its children before it is killed.
_ENDING_SECONDS = 5.0


def observe(options: Sequence[str], seconds: float) -> dict[str, object]:
    """Return what `torchdoctor facts` of this Python printed, and how it ended.

    `exit_code` is None where it did not end in time.
    """
    command = [sys.executable, "-m", "torchdoctor", "facts", "--python", sys.executable, *options]
    answer: dict[str, object] = {
        "host": socket.gethostname(),
        "python": sys.executable,
        "is_windows": os.name == "nt",
        "exit_code": None,
        "output": "",
        "errors": "",
    }
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            process = _start(command, output, errors)
        except OSError as error:
            answer["errors"] = f"{sys.executable}: {error}"
            answer["exit_code"] = 127
            return answer
        try:
            answer["exit_code"] = process.wait(seconds)
        except subprocess.TimeoutExpired:
            _end(process)
        except BaseException:
            _end(process)
            raise
        output.seek(0)
        answer["output"] = output.read(_MOST_BYTES).decode("utf-8", "replace")
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _TAIL_BYTES))
        answer["errors"] = errors.read().decode("utf-8", "replace")
    return answer


def _start(command: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    # On Windows: CREATE_NEW_PROCESS_GROUP and CREATE_NO_WINDOW.
    is_windows = os.name == "nt"
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        creationflags=0x200 | 0x08000000 if is_windows else 0,
        start_new_session=not is_windows,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the doctor, which ends its children; after some seconds, kill it."""
    if sys.platform == "win32":
        kill = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        quiet = subprocess.DEVNULL
        subprocess.call(kill, stdin=quiet, stdout=quiet, stderr=quiet)
    else:
        try:
            process.terminate()
            process.wait(_ENDING_SECONDS)
            return
        except (OSError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
    try:
        process.kill()
        process.wait(_ENDING_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        pass
