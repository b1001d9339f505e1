"""Facts about display adapters and Windows' graphics settings."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class DisplayAdapter:
    """A display adapter that the system knows.

    `vendor_id` is the PCI vendor ("10de" is NVIDIA). `is_present` tells whether it is plugged in now:
    Windows keeps what it once knew. `provider` is who made its driver.
    """

    name: str
    vendor_id: str | Absent
    provider: str | Absent
    driver_version: str | Absent
    is_present: bool | Absent


@record
class DisplayAdapters:
    """All display adapters that the system knows, by any maker, asked without NVIDIA's driver."""

    subject: ClassVar[str] = "display_adapters"
    adapters: tuple[DisplayAdapter, ...]


@record
class GraphicsSettings:
    """Settings of Windows for all graphics cards; None is a value that is not set: the default holds.

    `hardware_scheduling` is HwSchMode (2 is on, 1 off). `mistyped` names values that are not a DWORD,
    the only type that is documented for them.
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
