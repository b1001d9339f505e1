"""Observes the machine: operating system, processor, memory, environment variables."""

import os
import platform
import sys

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


def observe_operating_system() -> OperatingSystem:
    """Read system, version and true architecture."""
    if sys.platform == "win32":
        version, build = windows.read_version()
        return OperatingSystem("windows", version, windows.read_true_machine(), build, windows.read_layer())
    release = platform.release()
    layer = "WSL" if "microsoft" in release.lower() else None
    return OperatingSystem(
        name_system(), release, name_machine(platform.machine()), compatibility_layer=layer
    )


def name_system() -> str:
    """Give the system of this machine as facts name it."""
    return {"win32": "windows", "darwin": "darwin"}.get(sys.platform, "linux")


def name_machine(name: str) -> str:
    """Give the one name of an architecture that systems spell in several ways."""
    return _MACHINES.get(name.lower(), name.lower())


def observe_processor() -> Processor:
    """Read the core counts, those that this process may use where the system tells."""
    import psutil

    physical = psutil.cpu_count(logical=False)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not physical:
        return Processor(usable, Absent("the system does not tell its physical cores"))
    return Processor(usable, min(physical, usable))


def observe_environment_variables() -> EnvironmentVariables:
    """Read the variables that PyTorch, OpenMP, CUDA and the interpreter read."""
    names = sorted(name for name in os.environ if name in _VARIABLES or name.startswith(_VARIABLE_PREFIXES))
    return EnvironmentVariables(tuple((name, os.environ[name]) for name in names))


def observe_memory() -> Memory:
    """Read physical memory, commit figures and page files."""
    if sys.platform == "win32":
        return windows.observe_memory()
    import psutil

    memory = psutil.virtual_memory()
    not_here = Absent("only Windows tells it")
    limit, total = _read_linux_commit()
    return Memory(
        physical_bytes=memory.total,
        physical_available_bytes=memory.available,
        commit_limit_bytes=limit,
        commit_total_bytes=total,
        commit_peak_bytes=not_here,
        process_commit_available_bytes=not_here,
        page_files=not_here,
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
    missing = Absent("/proc/meminfo does not tell it")
    return sizes.get("CommitLimit", missing), sizes.get("Committed_AS", missing)


def _is_commit_enforced() -> bool:
    # Mode 2 is the only one in which Linux refuses beyond CommitLimit (proc(5)).
    try:
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            return file.read().strip() == "2"
    except OSError:
        return False
