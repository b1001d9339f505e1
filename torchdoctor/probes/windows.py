"""Reads Windows' registry and calls its functions for the probes. On other systems only the parsers exist."""

import ctypes
import os
import re
import shutil
import sys
from collections.abc import Iterable
from ctypes import wintypes
from dataclasses import replace

from torchdoctor.domain.sizes import MIB
from torchdoctor.facts import Absent, Memory, PageFile, VcRegistration

_SYSTEM_KEY = r"SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
_MEMORY_KEY = r"SYSTEM\CurrentControlSet\Control\Session Manager\Memory Management"
# The redistributable registers itself here, its x86 installer in the 32-bit view
# (learn.microsoft.com/cpp/windows/redistributing-visual-cpp-files).
_RUNTIME_KEY = r"SOFTWARE\Microsoft\VisualStudio\14.0\VC\Runtimes"
# LOGICAL_PROCESSOR_RELATIONSHIP of winnt.h.
_RELATION_PROCESSOR_CORE = 0
# IMAGE_FILE_MACHINE_* of winnt.h.
_MACHINES = {0x014C: "x86", 0x8664: "x64", 0xAA64: "arm64"}


class _PerformanceInformation(ctypes.Structure):
    """PERFORMANCE_INFORMATION of psapi.h; the commit figures are in pages."""

    _fields_ = (
        ("cb", wintypes.DWORD),
        *(
            (name, ctypes.c_size_t)
            for name in (
                "CommitTotal", "CommitLimit", "CommitPeak", "PhysicalTotal", "PhysicalAvailable",
                "SystemCache", "KernelTotal", "KernelPaged", "KernelNonpaged", "PageSize",
            )
        ),
        ("HandleCount", wintypes.DWORD),
        ("ProcessCount", wintypes.DWORD),
        ("ThreadCount", wintypes.DWORD),
    )  # fmt: skip


if sys.platform == "win32":
    import winreg

    from torchdoctor.inside.memory import read_memory_status

    def read_version() -> tuple[str, int]:
        """Return the version as text ("11 (10.0.22631)") and the build number."""
        version = sys.getwindowsversion()
        # Windows 11 still reports version 10.0; its builds start at 22000.
        name = "11" if version.build >= 22000 else str(version.major)
        return f"{name} ({version.major}.{version.minor}.{version.build})", version.build

    def find_kept_variables(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return those of the variables that are kept for this user, and those for the machine."""
        wanted = {name.upper(): name for name in names}
        found = []
        for root, key in (
            (winreg.HKEY_CURRENT_USER, "Environment"),
            (winreg.HKEY_LOCAL_MACHINE, _SYSTEM_KEY),
        ):
            try:
                with winreg.OpenKey(root, key) as handle:
                    kept = [winreg.EnumValue(handle, i)[0] for i in range(winreg.QueryInfoKey(handle)[1])]
            except OSError:
                kept = []
            found.append(tuple(sorted(wanted[name.upper()] for name in kept if name.upper() in wanted)))
        return found[0], found[1]

    def read_true_machine() -> str | Absent:
        """Return the architecture of the hardware; an emulated process gets it only from IsWow64Process2."""
        kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel32.GetCurrentProcess.restype = wintypes.HANDLE
        process, native = wintypes.USHORT(), wintypes.USHORT()
        try:
            function = kernel32.IsWow64Process2
        except AttributeError:
            return Absent("this Windows has no IsWow64Process2")
        function.argtypes = [wintypes.HANDLE, ctypes.c_void_p, ctypes.c_void_p]
        if not function(kernel32.GetCurrentProcess(), ctypes.byref(process), ctypes.byref(native)):
            return Absent(f"IsWow64Process2 failed with error {ctypes.get_last_error()}")
        return _MACHINES.get(native.value, f"0x{native.value:04X}")

    def count_physical_cores() -> int | None:
        """Return the number of cores of all processor groups, or None if Windows does not report it."""
        function = ctypes.WinDLL("kernel32").GetLogicalProcessorInformationEx
        size_bytes = wintypes.DWORD()
        # Without a buffer, the call fails and sets the size that it needs.
        function(_RELATION_PROCESSOR_CORE, None, ctypes.byref(size_bytes))
        buffer = ctypes.create_string_buffer(size_bytes.value)
        if not function(_RELATION_PROCESSOR_CORE, buffer, ctypes.byref(size_bytes)):
            return None
        return count_records(buffer.raw[: size_bytes.value])

    def read_compatibility_layer() -> str | None:
        """Return the name and version of Wine, None on Windows: Wine answers some calls in another way."""
        try:
            version = ctypes.WinDLL("ntdll").wine_get_version
        except AttributeError:
            return None
        version.restype = ctypes.c_char_p
        return f"Wine {version().decode('ascii', 'replace')}"

    def observe_memory() -> Memory:
        """Read physical memory and commit in bytes, and the configured page files.

        Raises:
            OSError: GetPerformanceInfo failed.
        """
        info = _PerformanceInformation(cb=ctypes.sizeof(_PerformanceInformation))
        if not ctypes.WinDLL("psapi").GetPerformanceInfo(ctypes.byref(info), info.cb):
            raise ctypes.WinError()
        physical, available, _, commit_available = read_memory_status()
        page_bytes = info.PageSize
        return Memory(
            physical_bytes=physical,
            physical_available_bytes=available,
            commit_limit_bytes=info.CommitLimit * page_bytes,
            commit_total_bytes=info.CommitTotal * page_bytes,
            commit_peak_bytes=info.CommitPeak * page_bytes or Absent("Windows reported 0"),
            process_commit_available_bytes=commit_available,
            page_files=read_page_files(),
        )

    def read_page_files() -> tuple[PageFile, ...] | Absent:
        """Read the configured page files from the registry, and the size and free space of their drives."""
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _MEMORY_KEY) as key:
                lines = _read_lines(key, "PagingFiles")
                existing = _read_lines(key, "ExistingPageFiles") if lines else []
        except OSError as error:
            return Absent(f"PagingFiles could not be read: {error.strerror or error}")
        return tuple(_add_volume(parse_page_file(line), existing) for line in lines)

    def _read_lines(key: winreg.HKEYType, name: str) -> list[str]:
        try:
            value, _ = winreg.QueryValueEx(key, name)
        except FileNotFoundError:
            if name == "PagingFiles":
                raise
            return []
        if isinstance(value, str):
            value = [value]
        return [line for line in value if line.strip()] if isinstance(value, list) else []

    def _add_volume(file: PageFile, existing: list[str]) -> PageFile:
        volume = find_volume(file.path, existing, os.environ.get("SYSTEMDRIVE", "C:"))
        try:
            usage = shutil.disk_usage(volume + "\\")
        except OSError as error:
            reason = Absent(f"{volume} could not be measured: {error.strerror or error}")
            return replace(file, volume=volume, volume_bytes=reason, volume_free_bytes=reason)
        return replace(file, volume=volume, volume_bytes=usage.total, volume_free_bytes=usage.free)

    def read_vc_registrations() -> tuple[VcRegistration, ...] | Absent:
        """Read which VC++ redistributables are registered, in both views of the registry."""
        views = (("64-bit", winreg.KEY_WOW64_64KEY), ("32-bit", winreg.KEY_WOW64_32KEY))
        return tuple(
            registration
            for view, flag in views
            for machine in ("x64", "x86", "arm64")
            if (registration := _read_registration(machine, view, flag)) is not None
        )

    def _read_registration(machine: str, view: str, flag: int) -> VcRegistration | None:
        try:
            access = winreg.KEY_READ | flag
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, rf"{_RUNTIME_KEY}\{machine}", 0, access) as key:
                values = {name: value for name, value, _ in _list_values(key)}
        except OSError:
            return None
        version = str(values.get("Version", "")).lstrip("v")
        return VcRegistration(machine, view, version, bool(values.get("Installed", 0)))

    def _list_values(key: winreg.HKEYType) -> list[tuple[str, object, int]]:
        count = winreg.QueryInfoKey(key)[1]
        return [winreg.EnumValue(key, index) for index in range(count)]

    def find_system_folder(bits: int) -> str:
        """Return a path to the folder that a 32-bit or 64-bit process sees as System32."""
        buffer = ctypes.create_unicode_buffer(260)
        ctypes.WinDLL("kernel32").GetWindowsDirectoryW(buffer, 260)
        if bits == 32 and read_true_machine() != "x86":
            return rf"{buffer.value}\SysWOW64"
        if bits == 64 and sys.maxsize < 2**32:
            # Windows redirects System32 to SysWOW64 in a 32-bit process such as this one, but not Sysnative.
            return rf"{buffer.value}\Sysnative"
        return rf"{buffer.value}\System32"


def count_records(data: bytes) -> int:
    """Count records of SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX; bytes 4 to 8 of each are its size."""
    count = position = 0
    while position + 8 <= len(data):
        # Every record is larger than its header; this ends the loop on any data.
        position += max(8, int.from_bytes(data[position + 4 : position + 8], "little"))
        count += 1
    return count


def find_volume(path: str, existing: list[str], system_drive: str) -> str:
    r"""Return the drive of a page file.

    For `?:\pagefile.sys` Windows chooses the drive, and records the file that it creates in `existing`.
    """
    if not path.startswith("?"):
        return path[:2].upper()
    drives = [match[1] for line in existing if (match := re.match(r"(?:\\\?\?\\)?([A-Za-z]:)", line))]
    return (drives[0] if drives else system_drive[:2]).upper()


def parse_page_file(line: str) -> PageFile:
    r"""Parse one line of PagingFiles: `?:\pagefile.sys`, or a path with the initial and maximum size in MiB.

    Without sizes, or with `0 0`, Windows manages the size.
    """
    match = re.fullmatch(r"\s*(.*?)\s+(\d+)\s+(\d+)\s*", line)
    if match is None:
        return PageFile(line.strip())
    initial, maximum = int(match[2]), int(match[3])
    if initial == maximum == 0:
        return PageFile(match[1])
    return PageFile(match[1], initial * MIB, maximum * MIB)
