"""The driver model of a GPU decides what Windows does with it: desktop, timeouts, sharing."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.facts import Absent, Gpu, GraphicsSettings, NvidiaDriver

MEANINGS = {
    "WDDM": "Windows schedules its work and ends kernels that run too long",
    "TCC": "computes only, draws no desktop",
    "MCDM": "computes only, draws no desktop",
}
# https://docs.pytorch.org/docs/stable/notes/windows.html#cuda-ipc-operations
SHARING = "CUDA tensors cannot be shared between processes on Windows"
SCHEDULING_STATES = {1: "off", 2: "on"}


@check
def driver_model(driver: NvidiaDriver, settings: GraphicsSettings | Absent) -> Iterator[Finding | Passed]:
    """Describe the driver model of each GPU; report only a change that waits for a restart."""
    gpus = known(driver.gpus)
    if not gpus:
        raise Skip("the driver lists no GPU")
    gpus_with_model = [gpu for gpu in gpus if not isinstance(gpu.driver_model, Absent)]
    if not gpus_with_model:
        known(gpus[0].driver_model)  # skips with the reason
    changing_gpus = [gpu for gpu in gpus_with_model if _awaits_restart(gpu)]
    for gpu in changing_gpus:
        yield Finding(
            f"{gpu.name} is in {gpu.driver_model} and will be in {gpu.pending_driver_model} after a restart",
            evidence={"driver_model": gpu.driver_model, "pending_driver_model": gpu.pending_driver_model},
            severity=Severity.NOTE,
        )
    if not changing_gpus:
        descriptions = "; ".join(_describe_model(gpu) for gpu in gpus_with_model)
        yield Passed(f"{descriptions}; {SHARING}{_describe_scheduling(settings)}")


def _awaits_restart(gpu: Gpu) -> bool:
    return not isinstance(gpu.pending_driver_model, Absent) and gpu.pending_driver_model != gpu.driver_model


def _describe_model(gpu: Gpu) -> str:
    model = str(gpu.driver_model)
    desktop = ", draws the desktop" if gpu.display_active is True and model == "WDDM" else ""
    meaning = f" ({MEANINGS[model]}{desktop})" if model in MEANINGS else ""
    return f"{gpu.name}: {model}{meaning}"


def _describe_scheduling(settings: GraphicsSettings | Absent) -> str:
    if isinstance(settings, Absent) or settings.hardware_scheduling not in SCHEDULING_STATES:
        return ""
    return f"; hardware-accelerated GPU scheduling is {SCHEDULING_STATES[settings.hardware_scheduling]}"
