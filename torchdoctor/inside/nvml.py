"""Ask NVIDIA's management library (NVML), which can hang or crash; runs in the doctor's own Python."""

from __future__ import annotations

import pynvml

from .answers import write_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# NVML_DRIVER_* of nvml.h; WDM is what NVIDIA's tools call TCC.
_MODELS = {0: "WDDM", 1: "TCC", 2: "MCDM"}


def main(answer_file: str) -> None:
    """Write what the library says of the driver and its GPUs."""
    write_answer(answer_file, read_driver())


def read_driver() -> dict[str, object]:
    """Read the driver and its GPUs; an NVML error is reported by its number and text."""
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return {"error": error.value, "message": str(error)}
    version = ask(pynvml.nvmlSystemGetDriverVersion)
    cuda = ask(pynvml.nvmlSystemGetCudaDriverVersion)
    try:
        gpus: object = [read_gpu(index) for index in range(pynvml.nvmlDeviceGetCount())]
    except pynvml.NVMLError as error:
        gpus = {"refused": str(error)}
    return {"version": version, "cuda": cuda, "gpus": gpus}


def read_gpu(index: int) -> dict[str, object]:
    """Read one GPU.

    Raises:
        pynvml.NVMLError: there is no handle for it.
    """
    handle = pynvml.nvmlDeviceGetHandleByIndex(index)
    return {
        "name": ask(lambda: pynvml.nvmlDeviceGetName(handle)),
        "compute_capability": ask(lambda: list(pynvml.nvmlDeviceGetCudaComputeCapability(handle))),
        "memory_bytes": ask(lambda: pynvml.nvmlDeviceGetMemoryInfo(handle).total),
        "driver_models": ask(lambda: read_models(handle)),
        "display_active": ask(lambda: bool(pynvml.nvmlDeviceGetDisplayActive(handle))),
    }


def read_models(handle: object) -> list[str]:
    """Read the current and the pending driver model.

    Raises:
        pynvml.NVMLError: this GPU or system has none.
    """
    try:
        models = pynvml.nvmlDeviceGetDriverModel(handle)
    except pynvml.NVMLError as error:
        # The newest bindings call _v2, which older drivers lack.
        fallback = getattr(pynvml, "nvmlDeviceGetDriverModel_v1", None)
        if error.value != pynvml.NVML_ERROR_FUNCTION_NOT_FOUND or fallback is None:
            raise
        models = fallback(handle)
    return [_MODELS.get(model, f"model {model}") for model in models]


def ask(call: Callable[[], object]) -> object:
    """Return what a call gives, text as str, or why it was refused."""
    try:
        value = call()
    except pynvml.NVMLError as error:
        return {"refused": str(error)}
    # Bindings before 11.515 return bytes.
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
