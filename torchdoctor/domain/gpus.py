"""Which NVIDIA GPUs a machine has, and which of them torch may see."""

import re

from torchdoctor.facts import Absent, DisplayAdapter, DisplayAdapters, NvidiaDriver

# NVIDIA's PCI vendor number.
NVIDIA = "10de"
# The source that NVIDIA's driver for Windows logs its events under.
NVIDIA_DRIVER = "nvlddmkm"
# How an entry of CUDA_VISIBLE_DEVICES begins (_parse_visible_devices in torch/cuda/__init__.py); what comes
# after one that begins otherwise is ignored.
_DEVICE = re.compile(r"\+?\d|GPU-|MIG-")


def find_nvidia_gpus(
    driver: NvidiaDriver | Absent, adapters: DisplayAdapters | Absent
) -> tuple[str, ...] | Absent:
    """Name the NVIDIA GPUs that are plugged in: none is a certain answer, absent an honest one."""
    if isinstance(driver, NvidiaDriver) and not isinstance(driver.gpus, Absent) and driver.gpus:
        return tuple(gpu.name for gpu in driver.gpus)
    if isinstance(adapters, Absent):
        return adapters
    nvidia = [adapter for adapter in adapters.adapters if adapter.vendor_id == NVIDIA]
    present = tuple(_name(adapter) for adapter in nvidia if adapter.is_present is True)
    unsure = [adapter.is_present for adapter in nvidia if isinstance(adapter.is_present, Absent)]
    if present or not unsure:
        return present
    return Absent(f"whether {nvidia[0].name} is plugged in is not known ({unsure[0].reason})")


def _name(adapter: DisplayAdapter) -> str:
    # Without NVIDIA's driver Windows gives the card a name that does not tell its maker.
    is_named = "nvidia" in adapter.name.lower()
    return adapter.name if is_named else f"an NVIDIA card (shown as {adapter.name or 'nothing'})"


def describe_adapters(adapters: DisplayAdapters | Absent) -> str:
    """Name all display adapters that are plugged in, as a clause for a message."""
    if isinstance(adapters, Absent):
        return "which display adapters there are is not known"
    names = [adapter.name for adapter in adapters.adapters if adapter.is_present is not False]
    return ", ".join(dict.fromkeys(names)) or "no display adapter"


def hides_every_gpu(visible: str) -> bool:
    """Tell whether a value of CUDA_VISIBLE_DEVICES leaves no GPU: `-1`, an empty one, `"0"` in quotes."""
    return _DEVICE.match(visible.strip()) is None
