"""Memory of processes and of the machine, as the system reports it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def read_private_bytes(process_id: int | None = None) -> int | None:
    """Return the private memory of this or another process in bytes, None where the system does not say."""
    try:
        if sys.platform == "win32":
            return _read_counters(process_id)
        with open(f"/proc/{process_id or 'self'}/smaps_rollup") as lines:
            return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    except Exception:
        return None


def find_room(reserved_share: float) -> Iterator[tuple[float, str]]:
    """Yield what is left of commit and memory in bytes, less a reserved share of the total, with its name."""
    try:
        if sys.platform == "win32":
            physical, available, commit_limit, commit_available = read_memory_status()
            yield max(0, commit_available - reserved_share * commit_limit), "commit"
            yield max(0, available - reserved_share * physical), "memory"
            return
        with open("/proc/meminfo") as lines:
            sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
        yield max(0, sizes["MemAvailable"] - reserved_share * sizes["MemTotal"]), "memory"
    except Exception:
        return


if sys.platform == "win32":

    def read_memory_status() -> tuple[int, int, int, int]:
        """Return physical memory, what is available of it, the commit limit and the available commit.

        All four are in bytes; both commit figures are those that hold for this process.

        Raises:
            OSError: Windows refused the figures.
        """
        import ctypes
        from ctypes import wintypes

        class Status(ctypes.Structure):
            """MEMORYSTATUSEX of sysinfoapi.h."""

            _fields_ = [("length", wintypes.DWORD), ("load", wintypes.DWORD)] + [
                (name, ctypes.c_ulonglong)
                for name in (
                    "physical",
                    "available",
                    "commit_limit",
                    "commit_available",
                    "all",
                    "free",
                    "more",
                )
            ]

        status = Status(length=ctypes.sizeof(Status))
        if not ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status)):
            raise ctypes.WinError()
        return status.physical, status.available, status.commit_limit, status.commit_available

    def _read_counters(process_id: int | None) -> int | None:
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            """PROCESS_MEMORY_COUNTERS_EX of psapi.h."""

            _fields_ = [("cb", wintypes.DWORD), ("PageFaultCount", wintypes.DWORD)] + [
                (name, ctypes.c_size_t)
                for name in (
                    "PeakWorkingSetSize",
                    "WorkingSetSize",
                    "QuotaPeakPagedPoolUsage",
                    "QuotaPagedPoolUsage",
                    "QuotaPeakNonPagedPoolUsage",
                    "QuotaNonPagedPoolUsage",
                    "PagefileUsage",
                    "PeakPagefileUsage",
                    "PrivateUsage",
                )
            ]

        counters = Counters(cb=ctypes.sizeof(Counters))
        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.GetCurrentProcess.restype = ctypes.c_void_p
        kernel32.OpenProcess.restype = ctypes.c_void_p
        kernel32.CloseHandle.argtypes = [ctypes.c_void_p]
        psapi = ctypes.WinDLL("psapi")
        psapi.GetProcessMemoryInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p, wintypes.DWORD]
        # PROCESS_QUERY_INFORMATION | PROCESS_VM_READ
        handle = (
            kernel32.OpenProcess(0x0410, False, process_id) if process_id else kernel32.GetCurrentProcess()
        )
        found = psapi.GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
        if process_id:
            kernel32.CloseHandle(handle)
        if not found:
            return None
        # Both fields hold the same figure; Wine fills in only the older one.
        return counters.PrivateUsage or counters.PagefileUsage or None
