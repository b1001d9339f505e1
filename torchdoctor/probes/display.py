"""Observes the display adapters of this machine, and Windows' settings for graphics cards."""

import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.facts import Absent, DisplayAdapter, DisplayAdapters, GraphicsSettings

_PCI = Path("/sys/bus/pci/devices")
# PCI vendor numbers of the makers of display adapters (pci-ids).
VENDORS: Mapping[str, str] = {"10de": "NVIDIA", "1002": "AMD", "8086": "Intel", "1414": "Microsoft"}


def observe_display_adapters() -> DisplayAdapters | Absent:
    """Read the display adapters from Windows' registry, or from Linux's list of PCI devices."""
    if sys.platform == "win32":
        from torchdoctor.probes import windows_display

        return windows_display.observe_display_adapters()
    if "microsoft" in platform.release().lower():
        return Absent("WSL does not list the display adapters of Windows")
    return read_pci_adapters(_PCI)


def observe_graphics_settings() -> GraphicsSettings | Absent:
    """Read Windows' settings for graphics cards."""
    if sys.platform == "win32":
        from torchdoctor.probes import windows_display

        return windows_display.observe_graphics_settings()
    return Absent("only Windows has these settings")


def read_pci_adapters(folder: Path) -> DisplayAdapters | Absent:
    """Read the display controllers (PCI class 03) in a folder that lists devices as Linux does."""
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
    return DisplayAdapter(name, vendor, driver, Absent("only Windows reports it"), is_present=True)


def _read_line(file: Path) -> str:
    try:
        return read_text(file, "ascii").strip()
    except OSError:
        return ""
