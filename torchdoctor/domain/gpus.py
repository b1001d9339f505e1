"""Find the NVIDIA GPUs of a machine, and whether CUDA_VISIBLE_DEVICES hides them."""

import itertools
import re

from torchdoctor.facts import Absent, DisplayAdapter, DisplayAdapters, NvidiaDriver, OperatingSystem
from torchdoctor.facts.partial import find_value

# The variable that selects the cards that CUDA shows to a program.
VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES"
# NVIDIA's PCI vendor number.
NVIDIA = "10de"
# The event source of NVIDIA's driver in Windows' System log.
NVIDIA_DRIVER = "nvlddmkm"
# The beginning of an entry of CUDA_VISIBLE_DEVICES (_parse_visible_devices in torch/cuda/__init__.py); what
# follows an entry that begins otherwise is ignored.
_DEVICE_START = re.compile(r"\+?\d|GPU-|MIG-")
_DEVICE_NUMBER = re.compile(r"\+?(\d{1,9})[ ]*(?:,|$)")
# Display adapters of virtual machines.
_VIRTUAL = re.compile(r"VMware|VirtualBox|Hyper-V|Parallels|\bQXL\b|VirtIO", re.IGNORECASE)
# Cards of other makers for which there is a torch on Windows: AMD's own knows Radeon cards from the RX 6000
# on, and the graphics of a Ryzen AI 300 and AI Max (https://github.com/ROCm/TheRock/blob/main/RELEASES.md);
# the `xpu` builds know Intel's Arc cards and the Arc graphics of a Core Ultra
# (https://docs.pytorch.org/docs/stable/notes/get_start_xpu.html).
_SUPPORTED_CARDS = {
    "amd": (
        "1002",
        re.compile(r"\bRadeon(?:\(TM\))? (?:RX ?[6-9]\d{3}|80[4-6]0S|8[89]0M)", re.IGNORECASE),
    ),
    "intel": (
        "8086",
        re.compile(r"\bArc(?:\(TM\))? (?:(?:Pro )?[AB]\d{2,3}|1[34]0[TV]|Graphics\b)", re.IGNORECASE),
    ),
}


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


def find_card_of_other_maker(adapters: DisplayAdapters) -> tuple[str, str] | None:
    """Return the maker ("amd", "intel") and the name of a card that a torch of its own can use, or None."""
    for maker, (vendor, pattern) in _SUPPORTED_CARDS.items():
        for adapter in adapters.adapters:
            if (
                adapter.vendor_id == vendor
                and adapter.is_present is not False
                and pattern.search(adapter.name)
            ):
                return maker, adapter.name
    return None


def has_virtual_adapter(adapters: DisplayAdapters | Absent) -> bool:
    """Return whether a display adapter is that of a virtual machine."""
    present = () if isinstance(adapters, Absent) else adapters.adapters
    return any(_VIRTUAL.search(each.name) for each in present if each.is_present is not False)


def is_wsl(system: OperatingSystem) -> bool:
    """Return whether Linux runs in Windows, by the name of its kernel; it lists no display adapter there."""
    version = find_value(system, "version")
    is_linux = find_value(system, "system") == "linux"
    return is_linux and isinstance(version, str) and "microsoft" in version.lower()


def describe_adapters(adapters: DisplayAdapters | Absent) -> str:
    """Return the names of all display adapters that are plugged in, as a clause for a message."""
    if isinstance(adapters, Absent):
        return "which display adapters there are is not known"
    names = [adapter.name for adapter in adapters.adapters if adapter.is_present is not False]
    return ", ".join(dict.fromkeys(names)) or "no display adapter"


def count_gpus(driver: NvidiaDriver | Absent) -> int | None:
    """Return how many GPUs the driver lists, None if that is not known or it lists none."""
    gpus = driver if isinstance(driver, Absent) else find_value(driver, "gpus")
    return None if isinstance(gpus, Absent) else len(gpus) or None


def names_gpu_twice(visible: str) -> bool:
    """Return whether a value of CUDA_VISIBLE_DEVICES has a number twice before an entry that is none."""
    numbers = list(itertools.takewhile(str.isdecimal, map(str.strip, visible.split(","))))
    return len(numbers) > len({number.lstrip("0") for number in numbers})


def hides_every_gpu(visible: str, count: int | None) -> bool:
    """Return whether a value of CUDA_VISIBLE_DEVICES hides all of `count` GPUs.

    `-1`, an empty one and `"0"` in quotes do, and a first number that no GPU has: CUDA shows the GPUs before
    the first entry that is not valid (CUDA C++ Programming Guide, CUDA environment variables). So does a
    number that is there twice, which CUDA refuses ("invalid device ordinal", seen with driver 580.159).
    """
    if _DEVICE_START.match(visible.strip()) is None or names_gpu_twice(visible):
        return True
    number = _DEVICE_NUMBER.match(visible.strip())
    return count is not None and number is not None and int(number[1]) >= count
