"""Observes the machine: operating system, processor, memory, environment variables."""

import os
import platform
import sys
from importlib.util import find_spec

from torchdoctor.facts import Absent, EnvironmentVariables, Memory, OperatingSystem, Processor
from torchdoctor.probes import windows

_MACHINES = {
    "amd64": "x64", "x86_64": "x64", "x64": "x64", "arm64": "arm64", "aarch64": "arm64",
    "i386": "x86", "i686": "x86", "x86": "x86",
}  # fmt: skip

_VARIABLE_PREFIXES = (
    "CUDA",
    "KMP_",
    "MKL_",
    "NCCL_",
    "NVIDIA_",
    "OMP_",
    "PYTHON",
    "PYTORCH",
    "TORCH",
    "TRITON_",
)
_VARIABLES = frozenset(
    {"PATH", "CONDA_PREFIX", "DISTUTILS_USE_SDK", "VIRTUAL_ENV", "USE_LIBUV", "NVTOOLSEXT_PATH"}
)
_NO_PSUTIL = Absent("psutil is not installed beside torchdoctor, which needs it for this outside of Windows")


def observe_operating_system() -> OperatingSystem:
    """Read the name and version of the system, and the architecture of the hardware."""
    if sys.platform == "win32":
        version, build = windows.read_version()
        return OperatingSystem(
            "windows", version, windows.read_true_machine(), build, windows.read_compatibility_layer()
        )
    release = platform.release()
    layer = "WSL" if "microsoft" in release.lower() else None
    return OperatingSystem(
        name_system(), release, name_machine(platform.machine()), compatibility_layer=layer
    )


def name_system() -> str:
    """Return the name of this system as facts spell it: windows, darwin or linux."""
    return {"win32": "windows", "darwin": "darwin"}.get(sys.platform, "linux")


def name_machine(name: str) -> str:
    """Return the name that facts use for an architecture: x64 for AMD64 and x86_64."""
    return _MACHINES.get(name.lower(), name.lower())


def observe_processor() -> Processor:
    """Count the cores; only those that this process may use, if the system reports which."""
    physical = _NO_PSUTIL if _lacks_psutil() else _count_physical_cores()
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(physical, Absent):
        return Processor(usable, physical)
    if not physical:
        return Processor(usable, Absent("the system does not report its physical cores"))
    return Processor(usable, min(physical, usable))


def _count_physical_cores() -> int | None:
    if sys.platform == "win32":
        return windows.count_physical_cores()
    import psutil

    return psutil.cpu_count(logical=False)


def observe_environment_variables() -> EnvironmentVariables:
    """Read the environment variables that PyTorch, OpenMP, CUDA and the interpreter use."""
    names = sorted(filter(is_recorded, os.environ))
    values = tuple((name, os.environ[name]) for name in names)
    if sys.platform == "win32":
        return EnvironmentVariables(values, *windows.find_kept_variables(names))
    absent = Absent("only Windows keeps variables outside of start-up files")
    return EnvironmentVariables(values, absent, absent)


def is_recorded(variable: str) -> bool:
    """Return whether facts contain an environment variable of this name."""
    return variable in _VARIABLES or variable.startswith(_VARIABLE_PREFIXES)


def _lacks_psutil() -> bool:
    """Return whether psutil is not there: the doctor was copied, or runs from one file."""
    return sys.platform != "win32" and find_spec("psutil") is None


def observe_memory() -> Memory | Absent:
    """Read the sizes of physical memory, commit and page files."""
    if sys.platform == "win32":
        return windows.observe_memory()
    if _lacks_psutil():
        return _NO_PSUTIL
    import psutil

    memory = psutil.virtual_memory()
    windows_only = Absent("only Windows reports it")
    limit, total = _read_linux_commit()
    return Memory(
        physical_bytes=memory.total,
        physical_available_bytes=memory.available,
        commit_limit_bytes=limit,
        commit_total_bytes=total,
        commit_peak_bytes=windows_only,
        process_commit_available_bytes=windows_only,
        page_files=windows_only,
        commit_limit_enforced=_is_commit_enforced(),
    )


def _read_linux_commit() -> tuple[int | Absent, int | Absent]:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            sizes = {
                name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)
            }
    except (OSError, ValueError) as error:
        absent = Absent(f"/proc/meminfo could not be read: {error}")
        return absent, absent
    missing = Absent("/proc/meminfo does not have it")
    return sizes.get("CommitLimit", missing), sizes.get("Committed_AS", missing)


def _is_commit_enforced() -> bool:
    # Linux refuses to exceed CommitLimit only in mode 2 (proc(5)).
    try:
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            return file.read().strip() == "2"
    except OSError:
        return False
