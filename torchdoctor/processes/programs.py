"""List the running programs of this machine, as far as the system tells."""

import os
import sys
from collections.abc import Iterable, Iterator

from torchdoctor.core.record import record
from torchdoctor.inside.cutting import cut_end


@record
class RunningProgram:
    """A process: its number and that of its parent, the paths of its program, and what it runs.

    There may be two paths: the Python of a virtual environment of Unix is a link to another file.
    """

    number: int
    parent: int
    paths: tuple[str, ...]
    command: str


def find_own_family(programs: Iterable[RunningProgram]) -> frozenset[int]:
    """Return the numbers of this process, of those that led to it, and of those that it led to."""
    parents = {program.number: program.parent for program in programs}
    family = {os.getpid()}
    number = os.getpid()
    while (number := parents.get(number, 0)) and number not in family:
        family.add(number)
    below = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return frozenset(family | below)


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _TH32CS_SNAPPROCESS = 2
    _PROCESS_QUERY_LIMITED_INFORMATION = 0x1000

    class _ProcessEntry(ctypes.Structure):
        """PROCESSENTRY32W of tlhelp32.h."""

        _fields_ = (
            ("size", wintypes.DWORD),
            ("usage", wintypes.DWORD),
            ("number", wintypes.DWORD),
            ("heap", ctypes.c_size_t),
            ("module", wintypes.DWORD),
            ("threads", wintypes.DWORD),
            ("parent", wintypes.DWORD),
            ("priority", wintypes.LONG),
            ("flags", wintypes.DWORD),
            ("name", wintypes.WCHAR * 260),
        )

    def list_programs() -> Iterator[RunningProgram]:
        """Yield the running programs; of those of other users, Windows may not name the path."""
        kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel32.CreateToolhelp32Snapshot.restype = wintypes.HANDLE
        kernel32.OpenProcess.restype = wintypes.HANDLE
        for function in (kernel32.Process32FirstW, kernel32.Process32NextW):
            function.argtypes = [wintypes.HANDLE, ctypes.POINTER(_ProcessEntry)]
        kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
        kernel32.QueryFullProcessImageNameW.argtypes = [
            wintypes.HANDLE, wintypes.DWORD, wintypes.LPWSTR, ctypes.POINTER(wintypes.DWORD),
        ]  # fmt: skip
        snapshot = kernel32.CreateToolhelp32Snapshot(_TH32CS_SNAPPROCESS, 0)
        entry = _ProcessEntry(size=ctypes.sizeof(_ProcessEntry))
        try:
            is_there = kernel32.Process32FirstW(snapshot, ctypes.byref(entry))
            while is_there:
                path = _find_path(kernel32, entry.number)
                yield RunningProgram(entry.number, entry.parent, (path,) if path else (), entry.name)
                is_there = kernel32.Process32NextW(snapshot, ctypes.byref(entry))
        finally:
            kernel32.CloseHandle(snapshot)

    def _find_path(kernel32: ctypes.WinDLL, number: int) -> str | None:
        handle = kernel32.OpenProcess(_PROCESS_QUERY_LIMITED_INFORMATION, False, number)
        if not handle:
            return None
        try:
            path = ctypes.create_unicode_buffer(32768)
            length = wintypes.DWORD(len(path))
            found = kernel32.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(length))
            return path.value if found else None
        finally:
            kernel32.CloseHandle(handle)

else:
    import shutil
    from importlib.util import find_spec
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        import psutil

    def list_programs() -> Iterator[RunningProgram]:
        """Yield the running programs; without psutil, which one file of the doctor does not have, none."""
        if find_spec("psutil") is None:
            return
        import psutil

        for process in psutil.process_iter():
            paths: list[str] = []
            line: list[str] = []
            parent = 0
            try:
                parent = process.ppid()
                line = process.cmdline()
                paths.append(process.exe())
                paths += _find_started(process, line[0]) if line else []
            except (psutil.Error, OSError):
                pass  # Of another user, or gone meanwhile.
            absolute = tuple(path for path in dict.fromkeys(paths) if os.path.isabs(path))
            yield RunningProgram(process.pid, parent, absolute, cut_end(" ".join(line), 120))

    def _find_started(process: "psutil.Process", name: str) -> list[str]:
        """Return the path that was started, and with the links of its folder resolved.

        A shell passes the name as it was typed: "python" in an activated environment, or "./python".
        """
        if "/" in name:
            started = os.path.join(process.cwd(), name) if not os.path.isabs(name) else name
        else:
            started = shutil.which(name, path=process.environ().get("PATH", os.defpath)) or name
        started = os.path.normpath(started)
        return [started, os.path.join(os.path.realpath(os.path.dirname(started)), os.path.basename(started))]
