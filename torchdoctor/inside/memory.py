"""Reads the memory use of processes and the available memory of the machine."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def read_private_bytes(process_id: int | None = None) -> int | None:
    """Return the private memory of this or another process in bytes, or None if it cannot be read."""
    try:
        if sys.platform == "win32":
            return _read_private_bytes_on_windows(process_id)
        with open(f"/proc/{process_id or 'self'}/smaps_rollup") as lines:
            return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    except Exception:
        return None


def read_available_memory(reserved_share: float) -> Iterator[tuple[float, str]]:
    """Yield the available bytes of each kind of memory, less a reserved share of its total, and its name.

    Windows has "commit" and "memory", other systems "memory" only. Nothing is yielded if reading fails.
    """
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
        """Return the total and the available physical memory, the commit limit and the available commit.

        All four are in bytes. Both commit figures are the ones that apply to this process.

        Raises:
            OSError: GlobalMemoryStatusEx failed.
        """
        import ctypes
        from ctypes import wintypes

        class MemoryStatus(ctypes.Structure):
            """The structure MEMORYSTATUSEX of sysinfoapi.h."""

            _fields_ = [("length", wintypes.DWORD), ("load", wintypes.DWORD)] + [
                (name, ctypes.c_ulonglong)
                for name in (
                    "physical",
                    "available",
                    "commit_limit",
                    "commit_available",
                    "virtual",
                    "virtual_available",
                    "virtual_available_extended",
                )
            ]

        status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
        if not ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status)):
            raise ctypes.WinError()
        return status.physical, status.available, status.commit_limit, status.commit_available

    def _read_private_bytes_on_windows(process_id: int | None) -> int | None:
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            """The structure PROCESS_MEMORY_COUNTERS_EX of psapi.h."""

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
        succeeded = psapi.GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
        if process_id:
            kernel32.CloseHandle(handle)
        if not succeeded:
            return None
        # Both fields hold the same value; Wine sets only PagefileUsage, the older one.
        return counters.PrivateUsage or counters.PagefileUsage or None
