"""Find the NVIDIA GPUs of a machine, and whether CUDA_VISIBLE_DEVICES hides them."""

import re

from torchdoctor.facts import Absent, DisplayAdapter, DisplayAdapters, NvidiaDriver

# NVIDIA's PCI vendor number.
NVIDIA = "10de"
# The event source of NVIDIA's driver in Windows' System log.
NVIDIA_DRIVER = "nvlddmkm"
# The beginning of an entry of CUDA_VISIBLE_DEVICES (_parse_visible_devices in torch/cuda/__init__.py); what
# follows an entry that begins otherwise is ignored.
_DEVICE_START = re.compile(r"\+?\d|GPU-|MIG-")


def find_nvidia_gpus(
    driver: NvidiaDriver | Absent, adapters: DisplayAdapters | Absent
) -> tuple[str, ...] | Absent:
    """Return the names of the NVIDIA GPUs that are plugged in; empty only if there certainly is none."""
    if isinstance(driver, NvidiaDriver) and not isinstance(driver.gpus, Absent) and driver.gpus:
        return tuple(gpu.name for gpu in driver.gpus)
    if isinstance(adapters, Absent):
        return adapters
    nvidia = [adapter for adapter in adapters.adapters if adapter.vendor_id == NVIDIA]
    present = tuple(_name_adapter(adapter) for adapter in nvidia if adapter.is_present is True)
    unknown = [adapter.is_present for adapter in nvidia if isinstance(adapter.is_present, Absent)]
    if present or not unknown:
        return present
    return Absent(f"whether {nvidia[0].name} is plugged in is not known ({unknown[0].reason})")


def _name_adapter(adapter: DisplayAdapter) -> str:
    # Without NVIDIA's driver, Windows gives the card a generic name.
    is_named = "nvidia" in adapter.name.lower()
    return adapter.name if is_named else f"an NVIDIA card (shown as {adapter.name or 'nothing'})"


def describe_adapters(adapters: DisplayAdapters | Absent) -> str:
    """Return the names of all display adapters that are plugged in, as a clause for a message."""
    if isinstance(adapters, Absent):
        return "which display adapters there are is not known"
    names = [adapter.name for adapter in adapters.adapters if adapter.is_present is not False]
    return ", ".join(dict.fromkeys(names)) or "no display adapter"


def hides_every_gpu(visible: str) -> bool:
    """Return whether a value of CUDA_VISIBLE_DEVICES hides all GPUs: `-1`, an empty one, `"0"` in quotes."""
    return _DEVICE_START.match(visible.strip()) is None
