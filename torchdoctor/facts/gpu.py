"""Facts about graphics: NVIDIA's driver, display adapters, using CUDA, what Windows logged of it."""

from typing import ClassVar

from torchdoctor.facts.core import Absent
from torchdoctor.record import record


@record
class Gpu:
    """A GPU that NVIDIA's driver manages.

    `driver_model` is "WDDM", "TCC" or "MCDM" (Windows only); `pending_driver_model` is the one that
    a restart brings. `display_active` tells whether a desktop is drawn with it.
    """

    name: str
    compute_capability: tuple[int, int] | Absent
    memory_bytes: int | Absent
    driver_model: str | Absent = Absent("only Windows has driver models")
    pending_driver_model: str | Absent = Absent("only Windows has driver models")
    display_active: bool | Absent = Absent("not recorded")


@record
class NvidiaDriver:
    """NVIDIA's driver as its management library (NVML) tells it.

    `state` is "working", "missing" (the library is not there: no driver is installed), "not loaded"
    (installed, but not running) or "mismatch" (library and driver are of two versions, as between an
    update and the restart). `cuda` is the highest CUDA version that the driver supports ("12.8").
    """

    subject: ClassVar[str] = "nvidia_driver"
    state: str
    version: str | Absent
    cuda: str | Absent
    gpus: tuple[Gpu, ...] | Absent


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


@record
class SystemEvent:
    """An event of Windows' System log; `time` is UTC, ISO 8601; `details` are its texts, if it has any."""

    provider: str
    number: int
    time: str
    details: tuple[str, ...] = ()


@record
class SystemEvents:
    """The logged resets of the display driver and memory shortages of the last days, newest first.

    `is_complete` is False where there were more than were read.
    """

    subject: ClassVar[str] = "system_events"
    days: int
    events: tuple[SystemEvent, ...]
    is_complete: bool = True

    def find(self, provider: str, *numbers: int) -> tuple[SystemEvent, ...]:
        """Give the events of a provider with one of these numbers."""
        wanted = provider.lower()
        return tuple(
            event for event in self.events if event.provider.lower() == wanted and event.number in numbers
        )


@record
class CudaTrial:
    """What came of using CUDA in a child of the examined interpreter.

    `outcome` is "answered", "raised", "died" or "hung". `device_count` and `architectures` are what
    torch tells ("sm_86", "compute_37"). `kernel_error` is why the first small kernel failed, None
    where it ran or none was started (`kernel_ran` tells which). `warnings` are what torch said.
    """

    subject: ClassVar[str] = "cuda_trial"
    outcome: str
    seconds: float
    available: bool | None = None
    device_count: int | None = None
    device_name: str | None = None
    capability: tuple[int, int] | None = None
    architectures: tuple[str, ...] = ()
    kernel_ran: bool = False
    kernel_error: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    exit_meaning: str | None = None


@record
class BuildTools:
    """What compiles extensions and graphs, where it is found.

    `cuda_folder` is the toolkit that torch would take, and `cuda_source` says from where it is known
    (a variable's name, "PATH" or "default folder"). `nvcc_version` is that toolkit's ("12.6").
    `compiler` is cl.exe and `compiler_source` is "PATH" or "Visual Studio".
    """

    subject: ClassVar[str] = "build_tools"
    cuda_folder: str | None
    cuda_source: str | None
    has_nvcc: bool
    nvcc_version: str | Absent
    compiler: str | Absent | None
    compiler_source: str | None = None
