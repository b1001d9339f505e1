"""Observes NVIDIA's driver and its GPUs, with NVML in a child process."""

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.core.vendored import find_copies
from torchdoctor.facts import Absent, Gpu, NvidiaDriver
from torchdoctor.inside.cutting import cut_end
from torchdoctor.probes.answers import capability_or_none, int_or_none
from torchdoctor.processes.child import ChildError, ChildResult
from torchdoctor.processes.guest import ask_guest

# A healthy driver answers within a second; a laptop GPU that sleeps takes a few seconds more.
NVML_SECONDS = 15.0
# Driver states by NVML_ERROR_* code (nvml.h).
_STATES = {9: "not loaded", 12: "missing", 18: "mismatch"}
_LIBRARY = "libnvidia-ml.so.1"
_LOADER_CACHE = Path("/etc/ld.so.cache")


def observe_nvidia_driver() -> NvidiaDriver | Absent:
    """Read the driver and its GPUs with NVML, in a child."""
    if sys.platform == "darwin":
        return Absent("NVIDIA has no driver for macOS")
    folders = find_copies()
    if not folders and importlib.util.find_spec("pynvml") is None:
        return Absent("the package nvidia-ml-py is not installed beside torchdoctor")
    # Checked before a child is started: most machines without NVIDIA's driver need none.
    if not _has_nvml():
        absent = Absent(f"there is no {'nvml.dll' if sys.platform == 'win32' else _LIBRARY}")
        return NvidiaDriver("missing", absent, absent, absent)
    try:
        return read_driver(*ask_guest(sys.executable, "driver", *folders, time_limit_seconds=NVML_SECONDS))
    except ChildError as error:
        return Absent(f"NVML could not be used: {error}")


def _has_nvml() -> bool:
    """Return whether NVML's library may be present; True also where only loading it can show that."""
    if sys.platform == "win32":
        return any(os.path.exists(path) for path in _nvml_dll_paths())
    # The loader searches LD_LIBRARY_PATH, its cache and its default folders.
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
        return _LIBRARY.encode() in read_bytes(_LOADER_CACHE)
    except OSError:
        # Not every system has the cache.
        return True


def _nvml_dll_paths() -> tuple[str, ...]:
    """Return the paths at which NVML's bindings look for the DLL: of current drivers, then of older ones."""
    windows = os.environ.get("WINDIR", "C:/Windows")
    programs = os.environ.get("PROGRAMFILES", "C:/Program Files")
    return (
        os.path.join(windows, "System32", "nvml.dll"),
        os.path.join(programs, "NVIDIA Corporation", "NVSMI", "nvml.dll"),
    )


def read_driver(child: ChildResult, answer: Mapping[str, object] | None) -> NvidiaDriver | Absent:
    """Return the driver as a fact, from the way the child ended and the answer that it left."""
    if child.exit_code is None:
        return Absent(f"NVML did not answer within {NVML_SECONDS:.0f} s")
    if answer is None:
        last_line = (child.stderr_tail.strip().splitlines() or ["no message"])[-1]
        return Absent(f"asking NVML ended with exit code {child.exit_code}: {cut_end(last_line, 200)}")
    if "error" in answer:
        message = str(answer.get("message"))
        error = answer["error"]
        state = _STATES.get(error) if isinstance(error, int) else None
        if state is None:
            return Absent(f"NVML refused: {message}")
        absent = Absent(message)
        return NvidiaDriver(state, absent, absent, absent)
    gpus = answer.get("gpus")
    return NvidiaDriver(
        "working",
        _read_text(answer.get("version")),
        _parse_cuda_version(answer.get("cuda")),
        tuple(_read_gpu(gpu) for gpu in gpus) if isinstance(gpus, list) else _read_refusal(gpus),
    )


def _read_gpu(data: object) -> Gpu:
    answer: Mapping[str, object] = data if isinstance(data, dict) else {}
    name = _read_text(answer.get("name"))
    capability, memory = answer.get("compute_capability"), answer.get("memory_bytes")
    models, display = answer.get("driver_models"), answer.get("display_active")
    return Gpu(
        name=f"NVIDIA GPU ({name.reason})" if isinstance(name, Absent) else name,
        compute_capability=capability_or_none(capability) or _read_refusal(capability),
        memory_bytes=_read_refusal(memory) if (size := int_or_none(memory)) is None else size,
        driver_model=_read_driver_model(models, 0),
        pending_driver_model=_read_driver_model(models, 1),
        display_active=display if isinstance(display, bool) else _read_refusal(display),
    )


def _read_driver_model(models: object, index: int) -> str | Absent:
    if isinstance(models, Sequence) and not isinstance(models, str) and len(models) > index:
        return str(models[index])
    return _read_refusal(models)


def _read_text(value: object) -> str | Absent:
    return value if isinstance(value, str) else _read_refusal(value)


def _parse_cuda_version(value: object) -> str | Absent:
    # NVML reports CUDA 12.8 as 12080.
    if isinstance(value, int) and value:
        return f"{value // 1000}.{value % 1000 // 10}"
    return _read_refusal(value)


def _read_refusal(value: object) -> Absent:
    """Return why NVML gave no value; the child's answer is {"refused": reason} then."""
    reason = value.get("refused") if isinstance(value, dict) else None
    return Absent(f"NVML refused: {reason}" if reason else "NVML did not report it")
