"""Notes with which codes the processes of multiprocessing end; on Windows, the DataLoader does not say it."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

# The modules whose class Popen gets the exit code of a process, and the method that gets it.
METHODS = {
    "multiprocessing.popen_spawn_win32": "wait",
    "multiprocessing.popen_fork": "poll",
    "multiprocessing.popen_forkserver": "poll",
}
# 1: an exception, which is printed. -15, the negative SIGTERM: terminate(), on Windows too.
_USUAL = (0, 1, -15)


def install(module: ModuleType, path: str) -> None:
    """Make the module's class Popen write each process ID with an unusual exit code to a file."""
    name = METHODS[module.__name__]
    get_exit_code = getattr(module.Popen, name)

    def get_and_note(self, *arguments, **keywords):  # type: ignore[no-untyped-def]
        was_known = self.returncode is not None
        exit_code = get_exit_code(self, *arguments, **keywords)
        if not was_known and exit_code is not None and exit_code not in _USUAL:
            _note(path, f"{self.pid} {exit_code}\n")
        return exit_code

    setattr(module.Popen, name, get_and_note)


def _note(path: str, line: str) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)
    except OSError:
        pass  # The doctor has ended.
