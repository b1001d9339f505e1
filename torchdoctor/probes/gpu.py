"""Observes graphics: NVIDIA's driver through NVML in a child, and the display adapters without it."""

import importlib.util
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from torchdoctor.facts import Absent, DisplayAdapter, DisplayAdapters, Gpu, GraphicsSettings, NvidiaDriver
from torchdoctor.probes.child import ChildError, Ended, run_child

# A healthy driver answers within a second; a sleeping laptop card takes some more.
NVML_SECONDS = 15.0
# NVML_ERROR_* of nvml.h.
_STATES = {9: "not loaded", 12: "missing", 18: "mismatch"}
_PCI = Path("/sys/bus/pci/devices")
_LIBRARY = "libnvidia-ml.so.1"
_LOADER_CACHE = Path("/etc/ld.so.cache")


def read_nvidia_driver() -> NvidiaDriver | Absent:
    """Ask NVML in a child."""
    if sys.platform == "darwin":
        return Absent("NVIDIA has no driver for macOS")
    if importlib.util.find_spec("pynvml") is None:
        return Absent("the package nvidia-ml-py is not installed beside torchdoctor")
    # Asked first: most machines without NVIDIA's driver need no child to say so.
    if not _has_nvml():
        nothing = Absent(f"there is no {'nvml.dll' if sys.platform == 'win32' else _LIBRARY}")
        return NvidiaDriver("missing", nothing, nothing, nothing)
    command = (sys.executable, str(Path(__file__).with_name("nvml.py")))
    try:
        return parse_driver(run_child(command, time_limit_seconds=NVML_SECONDS))
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


def parse_driver(ended: Ended) -> NvidiaDriver | Absent:
    """Read what the child answered."""
    if ended.exit_code is None:
        return Absent(f"NVML did not answer within {NVML_SECONDS:.0f} s")
    try:
        answer = json.loads(ended.stdout_tail.strip().rpartition("\n")[2])
    except ValueError:
        words = (ended.stderr_tail.strip().splitlines() or ["no message"])[-1]
        return Absent(f"asking NVML ended with exit code {ended.exit_code}: {words[:200]}")
    if not isinstance(answer, dict):
        return Absent("NVML's answer could not be read")
    if "error" in answer:
        message = str(answer.get("message"))
        state = _STATES.get(answer["error"])
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


def read_display_adapters() -> DisplayAdapters | Absent:
    """Read the display adapters from the system itself."""
    if sys.platform == "win32":
        from torchdoctor.probes import windows_graphics

        return windows_graphics.read_display_adapters()
    return read_pci_adapters(_PCI)


def read_graphics_settings() -> GraphicsSettings | Absent:
    """Read Windows' settings for graphics cards."""
    if sys.platform == "win32":
        from torchdoctor.probes import windows_graphics

        return windows_graphics.read_graphics_settings()
    return Absent("only Windows has these settings")


def read_pci_adapters(folder: Path) -> DisplayAdapters | Absent:
    """Read the display controllers (PCI class 03) below a folder as Linux lists them."""
    try:
        devices = sorted(folder.iterdir())
    except OSError as error:
        return Absent(f"{folder} cannot be read: {error.strerror or error}")
    if not devices:
        return Absent(f"{folder} is empty; this machine hides its devices")
    return DisplayAdapters(tuple(_read_pci_adapter(device) for device in devices if _is_display(device)))


def _is_display(device: Path) -> bool:
    return _read_line(device / "class").startswith("0x03")


def _read_pci_adapter(device: Path) -> DisplayAdapter:
    vendor = _read_line(device / "vendor").removeprefix("0x").lower()
    model = _read_line(device / "device").removeprefix("0x").lower()
    try:
        driver: str | Absent = (device / "driver").resolve(strict=True).name
    except OSError:
        driver = Absent("no driver has taken it")
    name = f"{VENDORS.get(vendor, f'vendor {vendor}')} device {model}"
    return DisplayAdapter(name, vendor, driver, Absent("only Windows tells it"), is_present=True)


# PCI vendor numbers of those who make display adapters (pci-ids).
VENDORS: Mapping[str, str] = {"10de": "NVIDIA", "1002": "AMD", "8086": "Intel", "1414": "Microsoft"}


def _read_line(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


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
