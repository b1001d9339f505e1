"""End every process that a program started: with a job object on Windows, a subreaper on Linux."""

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
    _MAX_PROCESSES = 4096

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

    class _ProcessIds(ctypes.Structure):
        """JOBOBJECT_BASIC_PROCESS_ID_LIST of winnt.h."""

        _fields_ = (
            ("assigned", wintypes.DWORD),
            ("listed", wintypes.DWORD),
            ("ids", ctypes.c_size_t * _MAX_PROCESSES),
        )

    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel32.CreateJobObjectW.restype = wintypes.HANDLE
    _kernel32.GetCurrentProcess.restype = wintypes.HANDLE
    _kernel32.OpenProcess.restype = wintypes.HANDLE
    _kernel32.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
    _kernel32.TerminateProcess.argtypes = [wintypes.HANDLE, wintypes.UINT]
    _kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
    _kernel32.TerminateJobObject.argtypes = [wintypes.HANDLE, wintypes.UINT]
    _kernel32.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
    _kernel32.SetInformationJobObject.argtypes = [
        wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD,
    ]  # fmt: skip
    _kernel32.QueryInformationJobObject.argtypes = [
        wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.c_void_p,
    ]  # fmt: skip
    _own_jobs: list[int] = []

    def adopt_descendants() -> None:
        """Put this process into a job object, so that every process it starts ends with it."""
        job = _kernel32.CreateJobObjectW(None, None)
        if job:
            _set_flags(job, _BREAKAWAY_OK | _KILL_ON_JOB_CLOSE)
            if _kernel32.AssignProcessToJobObject(job, _kernel32.GetCurrentProcess()):
                _own_jobs.append(job)

    def _set_flags(job: int, flags: int) -> None:
        limits = _Limits(flags=flags)
        _kernel32.SetInformationJobObject(
            job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )

    def open_tree(process_id: int) -> int:
        """Put a new process into a job object; return the handle of the job, or 0 if there is none."""
        job = _kernel32.CreateJobObjectW(None, None)
        process = _kernel32.OpenProcess(_PROCESS_TERMINATE | _PROCESS_SET_QUOTA, False, process_id)
        if job and process:
            _set_flags(job, _BREAKAWAY_OK | _KILL_ON_JOB_CLOSE)
            _kernel32.AssignProcessToJobObject(job, process)
        if process:
            _kernel32.CloseHandle(process)
        return int(job or 0)

    def kill_tree(job: int) -> None:
        """Kill every process of a tree, which is then ended with `end_tree`."""
        if job:
            _kernel32.TerminateJobObject(job, 1)

    def end_tree(job: int) -> None:
        """End every process of a tree that still runs."""
        if job:
            _kernel32.CloseHandle(job)

    def _find_descendants() -> list[int]:
        process_ids = _ProcessIds()
        for job in _own_jobs:
            if _kernel32.QueryInformationJobObject(
                job, _BASIC_PROCESS_ID_LIST, ctypes.byref(process_ids), ctypes.sizeof(process_ids), None
            ):
                listed = process_ids.ids[: process_ids.listed]
                return [process_id for process_id in listed if process_id != os.getpid()]
        return []

    def _kill(process_id: int) -> None:
        handle = _kernel32.OpenProcess(_PROCESS_TERMINATE, False, process_id)
        if handle:
            _kernel32.TerminateProcess(handle, 1)
            _kernel32.CloseHandle(handle)

    def _release_own_jobs() -> None:
        # Its own job must not end this process, because it exits with the exit code of the program.
        for job in _own_jobs:
            _set_flags(job, _BREAKAWAY_OK)

else:

    def adopt_descendants() -> None:
        """Become the parent of every descendant whose own parent ends, so that it can be found."""
        if sys.platform == "linux":
            try:
                ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER, linux/prctl.h
            except (OSError, AttributeError):
                pass

    def open_tree(process_id: int) -> int:
        """Return the process group of a process that was started as a session leader."""
        return process_id

    def kill_tree(group: int) -> None:
        """Kill every process of a tree, also those that have left its process group."""
        descendants = _find_children(group)
        end_tree(group)
        for process_id in descendants:
            _kill(process_id)

    def end_tree(group: int) -> None:
        """End every process of a tree that still runs."""
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def _find_descendants() -> list[int]:
        while True:
            try:
                reaped, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return []
            if not reaped:
                break
        return _find_children(os.getpid())

    def _find_children(process_id: int) -> list[int]:
        """Return the processes that a process started, that these started, and so on."""
        try:
            import psutil
        except ModuleNotFoundError:
            # The doctor runs from one file.
            return []
        try:
            return [process.pid for process in psutil.Process(process_id).children(recursive=True)]
        except (psutil.Error, OSError):
            return []

    def _kill(process_id: int) -> None:
        try:
            os.kill(process_id, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def _release_own_jobs() -> None:
        pass


def end_descendants(grace_seconds: float) -> None:
    """Wait for the descendants of this process to end, but not longer than a grace period; then kill them."""
    deadline = time.monotonic() + grace_seconds
    while _find_descendants() and time.monotonic() < deadline:
        time.sleep(0.05)
    deadline = time.monotonic() + 5
    while (running := _find_descendants()) and time.monotonic() < deadline:
        for process_id in running:
            _kill(process_id)
        time.sleep(0.02)
    _release_own_jobs()
