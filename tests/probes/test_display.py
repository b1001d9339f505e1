"""Display adapters are read from the PCI bus on Linux."""

from pathlib import Path

import pytest

from torchdoctor.facts import Absent
from torchdoctor.probes.display import observe_display_adapters, read_pci_adapters


def test_finds_display_adapters_on_the_pci_bus(tmp_path: Path) -> None:
    for name, code, vendor in (("0", "0x030000", "0x10de"), ("1", "0x020000", "0x8086")):
        device = tmp_path / name
        device.mkdir()
        for file, text in (("class", code), ("vendor", vendor), ("device", "0x2684")):
            (device / file).write_text(text + "\n", encoding="ascii")
    assert [adapter.vendor_id for adapter in read_pci_adapters(tmp_path).adapters] == ["10de"]


def test_wsl_lists_no_display_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its list of PCI devices has none of the cards of Windows, so an empty one means nothing."""
    monkeypatch.setattr("platform.release", lambda: "5.15.167.4-microsoft-standard-WSL2")
    assert observe_display_adapters() == Absent("WSL does not list the display adapters of Windows")
