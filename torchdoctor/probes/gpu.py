"""Observes NVIDIA's driver and its GPUs, through NVML in a child process."""

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from torchdoctor.facts import Absent, Gpu, NvidiaDriver
from torchdoctor.processes.child import ChildError, Ended
from torchdoctor.processes.guest import ask_guest

# A healthy driver answers within a second; a sleeping laptop card takes some more.
NVML_SECONDS = 15.0
# NVML_ERROR_* of nvml.h.
_STATES = {9: "not loaded", 12: "missing", 18: "mismatch"}
_LIBRARY = "libnvidia-ml.so.1"
_LOADER_CACHE = Path("/etc/ld.so.cache")


def observe_nvidia_driver() -> NvidiaDriver | Absent:
    """Ask NVML in a child."""
    if sys.platform == "darwin":
        return Absent("NVIDIA has no driver for macOS")
    if importlib.util.find_spec("pynvml") is None:
        return Absent("the package nvidia-ml-py is not installed beside torchdoctor")
    # Asked first: most machines without NVIDIA's driver need no child to say so.
    if not _has_nvml():
        nothing = Absent(f"there is no {'nvml.dll' if sys.platform == 'win32' else _LIBRARY}")
        return NvidiaDriver("missing", nothing, nothing, nothing)
    try:
        return read_driver(*ask_guest(sys.executable, "nvml", time_limit_seconds=NVML_SECONDS))
    except ChildError as error:
        return Absent(f"NVML could not be asked: {error}")


def _has_nvml() -> bool:
    if sys.platform == "win32":
        return any(os.path.exists(file) for file in find_nvml_files())
    # Where the loader looks: LD_LIBRARY_PATH, its cache, the folders that it knows itself.
    folders = (
        *os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep),
        "/lib",
        "/usr/lib",
        "/lib64",
        "/usr/lib64",
    )
    if any(os.path.exists(os.path.join(folder, _LIBRARY)) for folder in folders):
        return True
    try:
        return _LIBRARY.encode() in _LOADER_CACHE.read_bytes()
    except OSError:
        # Not every system has the cache; then its loader has to be asked.
        return True


def find_nvml_files() -> tuple[str, ...]:
    """Give the places where NVML's bindings look for it on Windows: today's driver, then older ones."""
    windows = os.environ.get("WINDIR", "C:/Windows")
    programs = os.environ.get("PROGRAMFILES", "C:/Program Files")
    return (
        os.path.join(windows, "System32", "nvml.dll"),
        os.path.join(programs, "NVIDIA Corporation", "NVSMI", "nvml.dll"),
    )


def read_driver(ended: Ended, answer: Mapping[str, object] | None) -> NvidiaDriver | Absent:
    """Read what the child answered."""
    if ended.exit_code is None:
        return Absent(f"NVML did not answer within {NVML_SECONDS:.0f} s")
    if answer is None:
        words = (ended.stderr_tail.strip().splitlines() or ["no message"])[-1]
        return Absent(f"asking NVML ended with exit code {ended.exit_code}: {words[:200]}")
    if "error" in answer:
        message = str(answer.get("message"))
        error = answer["error"]
        state = _STATES.get(error) if isinstance(error, int) else None
        if state is None:
            return Absent(f"NVML refused: {message}")
        nothing = Absent(message)
        return NvidiaDriver(state, nothing, nothing, nothing)
    gpus = answer.get("gpus")
    return NvidiaDriver(
        "working",
        _text(answer.get("version")),
        _cuda_version(answer.get("cuda")),
        tuple(_read_gpu(gpu) for gpu in gpus) if isinstance(gpus, list) else _refused(gpus),
    )


def _read_gpu(data: object) -> Gpu:
    answer: Mapping[str, object] = data if isinstance(data, dict) else {}
    name = _text(answer.get("name"))
    capability, memory = answer.get("compute_capability"), answer.get("memory_bytes")
    models, display = answer.get("driver_models"), answer.get("display_active")
    return Gpu(
        name=f"NVIDIA GPU ({name.reason})" if isinstance(name, Absent) else name,
        compute_capability=(int(capability[0]), int(capability[1]))
        if isinstance(capability, list) and len(capability) == 2
        else _refused(capability),
        memory_bytes=memory if isinstance(memory, int) else _refused(memory),
        driver_model=_model(models, 0),
        pending_driver_model=_model(models, 1),
        display_active=display if isinstance(display, bool) else _refused(display),
    )


def _model(models: object, index: int) -> str | Absent:
    if isinstance(models, Sequence) and not isinstance(models, str) and len(models) > index:
        return str(models[index])
    return _refused(models)


def _text(value: object) -> str | Absent:
    return value if isinstance(value, str) else _refused(value)


def _cuda_version(value: object) -> str | Absent:
    # 12080 stands for 12.8.
    return f"{value // 1000}.{value % 1000 // 10}" if isinstance(value, int) and value else _refused(value)


def _refused(value: object) -> Absent:
    reason = value.get("refused") if isinstance(value, dict) else None
    return Absent(f"NVML refused: {reason}" if reason else "NVML did not tell it")
