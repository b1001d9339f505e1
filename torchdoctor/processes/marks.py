"""Find the processes that come from a child on Linux, also those that left its group and its parent.

Every child gets a variable of its own, and what it starts inherits it. A shell waits for the end of this
process, however it ends, and then kills what still has the variable.
"""

import atexit
import itertools
import os
import signal
import subprocess
import sys
import threading

VARIABLE = "TORCHDOCTOR_CHILD"

_SCRIPT = """
read -r line && exit
for turn in 1 2 3 4 5 6 7 8 9 10; do
  found=
  for file in /proc/[0-9]*/environ; do
    if grep -q "$1" "$file" 2>/dev/null; then
      found=1
      process=${file#/proc/}
      kill -9 "${process%/environ}" 2>/dev/null
    fi
  done
  [ "$found" ] || [ "$turn" = 1 ] || exit
done
"""
# A process may fork while others are looked for, so this is repeated until none is found, at most so often.
_MOST_TURNS = 50
_numbers = itertools.count(1)
_lock = threading.Lock()
# The process that the shell watches.
_owners: list[int] = []


def make_mark() -> str:
    """Return a value of the variable that no other child has, and begin to watch over the children."""
    with _lock:
        if not _owners or _owners[0] != os.getpid():
            # The first child, or one of a fork of this process.
            _owners[:] = [os.getpid()]
            _start_shell(f"{VARIABLE}={os.getpid()}-")
        return f"{os.getpid()}-{next(_numbers)}-{os.urandom(8).hex()}"


def _start_shell(prefix: str) -> None:
    if sys.platform != "linux":
        return
    try:
        shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sh", prefix],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd="/", start_new_session=True,
        )  # fmt: skip
    except OSError:
        return
    atexit.register(_end_shell, shell)


def _end_shell(shell: "subprocess.Popen[bytes]") -> None:
    try:
        shell.communicate(b"end\n", timeout=1)
    except (OSError, subprocess.TimeoutExpired):
        pass


def kill_marked(mark: str) -> None:
    """Kill every process that has a mark; without /proc, none is found."""
    if sys.platform == "win32":
        return  # A job object has all of them.
    for _ in range(_MOST_TURNS):
        found, is_complete = _find_marked(mark)
        for process_id in found:
            try:
                os.kill(process_id, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        if is_complete and not found:
            return


def _find_marked(mark: str) -> tuple[list[int], bool]:
    """Return the processes that have a mark, and whether none ended while they were looked for.

    One that ended may have forked just before.
    """
    found, is_complete = [], True
    variable = f"{VARIABLE}={mark}".encode()
    try:
        names = os.listdir("/proc")
    except OSError:
        return [], True
    for name in filter(str.isdigit, names):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if variable in file.read():
                    found.append(int(name))
        except PermissionError:
            continue
        except OSError:
            is_complete = False
    return found, is_complete
