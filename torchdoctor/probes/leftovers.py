"""Ends the processes that a program left running: a job object on Windows, a subreaper on Linux."""

import ctypes
import os
import signal
import sys
import time

if sys.platform == "win32":
    from ctypes import wintypes

    # winnt.h
    _BASIC_PROCESS_ID_LIST = 3
    _EXTENDED_LIMIT_INFORMATION = 9
    _BREAKAWAY_OK, _KILL_ON_JOB_CLOSE = 0x800, 0x2000
    _PROCESS_TERMINATE, _PROCESS_SET_QUOTA = 1, 0x100
    _MOST = 4096

    class _Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h."""

        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", wintypes.DWORD),
            ("set_sizes", ctypes.c_size_t * 2),
            ("active", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("classes", wintypes.DWORD * 2),
            ("io", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        )

    class _Processes(ctypes.Structure):
        """JOBOBJECT_BASIC_PROCESS_ID_LIST of winnt.h."""

        _fields_ = (
            ("assigned", wintypes.DWORD),
            ("listed", wintypes.DWORD),
            ("ids", ctypes.c_size_t * _MOST),
        )

    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel32.CreateJobObjectW.restype = wintypes.HANDLE
    _kernel32.GetCurrentProcess.restype = wintypes.HANDLE
    _kernel32.OpenProcess.restype = wintypes.HANDLE
    _kernel32.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
    _kernel32.TerminateProcess.argtypes = [wintypes.HANDLE, wintypes.UINT]
    _kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
    _kernel32.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
    _kernel32.SetInformationJobObject.argtypes = [
        wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD,
    ]  # fmt: skip
    _kernel32.QueryInformationJobObject.argtypes = [
        wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.c_void_p,
    ]  # fmt: skip
    _jobs: list[int] = []

    def begin_watching() -> None:
        """Join a job: what is started from now on is in it too, and dies with us if we are killed."""
        job = _kernel32.CreateJobObjectW(None, None)
        if job:
            _set_flags(job, _BREAKAWAY_OK | _KILL_ON_JOB_CLOSE)
            if _kernel32.AssignProcessToJobObject(job, _kernel32.GetCurrentProcess()):
                _jobs.append(job)

    def _set_flags(job: int, flags: int) -> None:
        limits = _Limits(flags=flags)
        _kernel32.SetInformationJobObject(
            job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )

    def hold(number: int) -> int:
        """Put a process that has just been started into a job; give the job, 0 where there is none."""
        job = _kernel32.CreateJobObjectW(None, None)
        process = _kernel32.OpenProcess(_PROCESS_TERMINATE | _PROCESS_SET_QUOTA, False, number)
        if job and process:
            _set_flags(job, _BREAKAWAY_OK | _KILL_ON_JOB_CLOSE)
            _kernel32.AssignProcessToJobObject(job, process)
        if process:
            _kernel32.CloseHandle(process)
        return int(job or 0)

    def end_held(job: int) -> None:
        """End all that is left of what was held."""
        if job:
            _kernel32.CloseHandle(job)

    def _find_all() -> list[int]:
        found = _Processes()
        for job in _jobs:
            if _kernel32.QueryInformationJobObject(
                job, _BASIC_PROCESS_ID_LIST, ctypes.byref(found), ctypes.sizeof(found), None
            ):
                return [number for number in found.ids[: found.listed] if number != os.getpid()]
        return []

    def _kill(number: int) -> None:
        handle = _kernel32.OpenProcess(_PROCESS_TERMINATE, False, number)
        if handle:
            _kernel32.TerminateProcess(handle, 1)
            _kernel32.CloseHandle(handle)

    def _finish() -> None:
        # Our own end must not be the job's doing: our exit code is the program's.
        for job in _jobs:
            _set_flags(job, _BREAKAWAY_OK)

else:

    def begin_watching() -> None:
        """Become the parent of what loses its own, so that it can be found."""
        if sys.platform == "linux":
            try:
                ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER, linux/prctl.h
            except (OSError, AttributeError):
                pass

    def hold(number: int) -> int:
        """Give the process group of a process that was started as the leader of a session."""
        return number

    def end_held(group: int) -> None:
        """End all that is left of what was held."""
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def _find_all() -> list[int]:
        while True:
            try:
                reaped, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return []
            if not reaped:
                break
        import psutil

        return [process.pid for process in psutil.Process().children(recursive=True)]

    def _kill(number: int) -> None:
        try:
            os.kill(number, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def _finish() -> None:
        pass


def end_all(grace_seconds: float) -> None:
    """Wait a little for what was started to end, then end it."""
    deadline = time.monotonic() + grace_seconds
    while _find_all() and time.monotonic() < deadline:
        time.sleep(0.05)
    deadline = time.monotonic() + 5
    while (running := _find_all()) and time.monotonic() < deadline:
        for number in running:
            _kill(number)
        time.sleep(0.02)
    _finish()
