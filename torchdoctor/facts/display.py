"""Facts about display adapters and Windows' graphics settings."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class DisplayAdapter:
    """A display adapter that the system lists.

    `vendor_id` is the PCI vendor ("10de" is NVIDIA). `is_present` is whether it is plugged in now; Windows
    also lists adapters that were removed. `provider` is the maker of its driver.
    """

    name: str
    vendor_id: str | Absent
    provider: str | Absent
    driver_version: str | Absent
    is_present: bool | Absent


@record
class DisplayAdapters:
    """All display adapters that the system lists, from any maker, found without NVIDIA's driver."""

    subject: ClassVar[str] = "display_adapters"
    adapters: tuple[DisplayAdapter, ...]


@record
class GraphicsSettings:
    """Settings of Windows for all graphics cards; None means not set, so that the default applies.

    `hardware_scheduling` is HwSchMode (2 is on, 1 is off). `mistyped` has the names of values that are not
    a DWORD, which is the only documented type.
    """

    subject: ClassVar[str] = "graphics_settings"
    tdr_level: int | None = None
    tdr_delay_seconds: int | None = None
    tdr_ddi_delay_seconds: int | None = None
    tdr_limit_seconds: int | None = None
    tdr_limit_count: int | None = None
    tdr_debug_mode: int | None = None
    hardware_scheduling: int | None = None
    mistyped: tuple[str, ...] = ()
