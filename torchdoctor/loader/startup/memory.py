"""What this process holds of memory, and what is left for others."""

import os


def read_private_bytes() -> "int | None":
    """Give the private memory of this process in bytes, None where the system does not tell."""
    try:
        if os.name == "nt":
            return _read_windows()[1]
        with open("/proc/self/smaps_rollup") as lines:
            return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    except Exception:
        return None


def find_room(reserved_share):
    """Give the memory and the commit that are left, less a share of all there is, with their names."""
    try:
        if os.name == "nt":
            status = _read_windows()[0]
            yield max(0, status["avail_commit"] - reserved_share * status["commit"]), "commit"
            yield max(0, status["available"] - reserved_share * status["physical"]), "memory"
            return
        with open("/proc/meminfo") as lines:
            sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
        yield max(0, sizes["MemAvailable"] - reserved_share * sizes["MemTotal"]), "memory"
    except Exception:
        return


def _read_windows():
    import ctypes
    from ctypes import wintypes

    class Status(ctypes.Structure):
        """MEMORYSTATUSEX of sysinfoapi.h."""

        _fields_ = [("length", wintypes.DWORD), ("load", wintypes.DWORD)] + [
            (name, ctypes.c_ulonglong)
            for name in ("physical", "available", "commit", "avail_commit", "virtual", "avail", "extended")
        ]

    class Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS_EX of psapi.h."""

        _fields_ = (
            [("size", wintypes.DWORD), ("faults", wintypes.DWORD)]
            + [("field%d" % number, ctypes.c_size_t) for number in range(8)]
            + [("private", ctypes.c_size_t)]
        )

    status, counters = Status(), Counters()
    status.length, counters.size = ctypes.sizeof(status), ctypes.sizeof(counters)
    kernel32, psapi = ctypes.WinDLL("kernel32"), ctypes.WinDLL("psapi")
    kernel32.GetCurrentProcess.restype = ctypes.c_void_p
    psapi.GetProcessMemoryInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p, wintypes.DWORD]
    kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    psapi.GetProcessMemoryInfo(kernel32.GetCurrentProcess(), ctypes.byref(counters), counters.size)
    values = {name: getattr(status, name) for name, _ in Status._fields_}
    return values, counters.private or None
