"""Facts about NVIDIA's driver and its GPUs."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class Gpu:
    """A GPU that NVIDIA's driver manages.

    `driver_model` is "WDDM", "TCC" or "MCDM" (Windows only); `pending_driver_model` is the one after the
    next restart. `display_active` is whether it draws a desktop.
    """

    name: str
    compute_capability: tuple[int, int] | Absent
    memory_bytes: int | Absent
    driver_model: str | Absent = Absent("only Windows has driver models")
    pending_driver_model: str | Absent = Absent("only Windows has driver models")
    display_active: bool | Absent = Absent("not recorded")


@record
class NvidiaDriver:
    """NVIDIA's driver, as its management library (NVML) reports it.

    `state` is "working", "missing" (the library is not there: no driver is installed), "not loaded"
    (installed, but not running) or "mismatch" (library and driver have different versions, as between
    an update and the restart). `cuda` is the highest CUDA version that the driver supports ("12.8").
    """

    subject: ClassVar[str] = "nvidia_driver"
    state: str
    version: str | Absent
    cuda: str | Absent
    gpus: tuple[Gpu, ...] | Absent
