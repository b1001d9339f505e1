"""Reads the driver and its GPUs from NVIDIA's management library (NVML).

It runs in a child of the doctor's own Python, because the library can hang or crash.
"""

from __future__ import annotations

import pynvml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# NVML_DRIVER_* of nvml.h; NVIDIA's tools show NVML_DRIVER_WDM as TCC.
_DRIVER_MODELS = {0: "WDDM", 1: "TCC", 2: "MCDM"}


def read_driver() -> dict[str, object]:
    """Return the driver and its GPUs, or the number and text of the error if NVML cannot be initialised."""
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return {"error": error.value, "message": str(error)}
    version = query(pynvml.nvmlSystemGetDriverVersion)
    cuda = query(pynvml.nvmlSystemGetCudaDriverVersion)
    try:
        gpus: object = [read_gpu(index) for index in range(pynvml.nvmlDeviceGetCount())]
    except pynvml.NVMLError as error:
        gpus = {"refused": str(error)}
    return {"version": version, "cuda": cuda, "gpus": gpus}


def read_gpu(index: int) -> dict[str, object]:
    """Return the properties of one GPU.

    Raises:
        pynvml.NVMLError: NVML has no handle for this GPU.
    """
    handle = pynvml.nvmlDeviceGetHandleByIndex(index)
    return {
        "name": query(lambda: pynvml.nvmlDeviceGetName(handle)),
        "compute_capability": query(lambda: list(pynvml.nvmlDeviceGetCudaComputeCapability(handle))),
        "memory_bytes": query(lambda: pynvml.nvmlDeviceGetMemoryInfo(handle).total),
        "driver_models": query(lambda: read_driver_models(handle)),
        "display_active": query(lambda: bool(pynvml.nvmlDeviceGetDisplayActive(handle))),
    }


def read_driver_models(handle: object) -> list[str]:
    """Return the current and the pending driver model.

    Raises:
        pynvml.NVMLError: this GPU or system has no driver model.
    """
    try:
        models = pynvml.nvmlDeviceGetDriverModel(handle)
    except pynvml.NVMLError as error:
        # The newest bindings call the _v2 function, which older drivers lack.
        fallback = getattr(pynvml, "nvmlDeviceGetDriverModel_v1", None)
        if error.value != pynvml.NVML_ERROR_FUNCTION_NOT_FOUND or fallback is None:
            raise
        models = fallback(handle)
    return [_DRIVER_MODELS.get(model, f"model {model}") for model in models]


def query(function: Callable[[], object]) -> object:
    """Return the result of an NVML function, or its error text under the key "refused"."""
    try:
        value = function()
    except pynvml.NVMLError as error:
        return {"refused": str(error)}
    # Bindings before version 11.515 return text as bytes.
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
