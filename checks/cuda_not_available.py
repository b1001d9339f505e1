"""A CUDA build of torch cannot use the GPU of this machine."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.crashes import find_culprit_variable
from torchdoctor.domain.cuda_builds import NO_IMAGE, are_too_old, find_architectures
from torchdoctor.domain.gpus import VISIBLE_DEVICES, count_gpus, find_nvidia_gpus, hides_every_gpu, is_wsl
from torchdoctor.domain.torch_choice import name_set
from torchdoctor.facts import (
    Absent,
    CudaTrial,
    DisplayAdapters,
    EnvironmentVariables,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)

# The kernel's error that is gone when other programs end.
OUT_OF_MEMORY = "out of memory"
# The step for what no fact explains: the entry's others look for what is known here.
RESTART = "restart-now"


@check
def cuda_not_available(
    torch: TorchInstall,
    trial: CudaTrial,
    driver: NvidiaDriver | Absent,
    adapters: DisplayAdapters | Absent,
    variables: EnvironmentVariables | Absent,
    system: OperatingSystem | Absent,
) -> Iterator[Finding | Passed]:
    """Report why CUDA cannot be used, unless another check reports that cause."""
    gpus = find_nvidia_gpus(driver, adapters)
    # WSL lists no display adapter, whatever card there is.
    knows_adapters = isinstance(system, Absent) or not is_wsl(system)
    has_no_card = knows_adapters and not isinstance(gpus, Absent) and not gpus
    if (variable := find_culprit_variable(trial)) is not None:
        raise Skip(f"a kernel runs without the variable {variable}; see hurtful-environment-variables")
    if has_no_card and trial.outcome == "died":
        yield Finding(
            f"asking torch for CUDA ends the process ({trial.exit_meaning}), and no NVIDIA GPU is plugged in",
            evidence={
                **_evidence(trial),
                **_describe_cpu_build(torch),
                "failure": "torch ends a program that asks it for CUDA",
            },
            step="no-card",
        )
    elif has_no_card:
        yield Passed("no NVIDIA GPU is plugged in, so CUDA has nothing to find")
    elif trial.outcome == "died":
        yield Finding(
            f"starting CUDA ends the process: {trial.exit_meaning}", evidence=_evidence(trial), step=RESTART
        )
    elif trial.outcome == "hung":
        message = f"starting CUDA did not finish within {trial.seconds:.0f} s and was stopped"
        yield Finding(message, evidence=_evidence(trial), step=RESTART)
    elif trial.outcome == "raised":
        yield Finding(
            f"torch raises an exception when it starts CUDA: {trial.error}",
            evidence=_evidence(trial),
            step=RESTART,
        )
    elif trial.available:
        is_windows = isinstance(system, Absent) or system.system == "windows"
        yield from _judge_kernel(torch, trial, is_windows=is_windows)
    else:
        if isinstance(driver, NvidiaDriver) and driver.state != "working":
            raise Skip(f"the NVIDIA driver is {driver.state}; see no-nvidia-driver")
        if are_too_old(driver):
            raise Skip("no CUDA build has code for a GPU of this age; see unsupported-gpu-arch")
        yield _describe_unavailable(trial, variables, count_gpus(driver))


def _judge_kernel(torch: TorchInstall, trial: CudaTrial, *, is_windows: bool) -> Iterator[Finding | Passed]:
    error = trial.kernel_error
    first_line = (error or "").partition("\n")[0]
    if error is None:
        state = "ran" if trial.kernel_ran else "was not started"
        yield Passed(f"{trial.device_name or 'the GPU'}: a first kernel of CUDA {torch.cuda} {state}")
    elif NO_IMAGE in error and not _has_code(torch, trial, is_windows=is_windows):
        raise Skip("torch has no code for this GPU; see unsupported-gpu-arch")
    elif OUT_OF_MEMORY in error:
        name = trial.device_name or "the GPU"
        yield Finding(
            f"torch cannot compute on {name} now, because its memory is full: {first_line}",
            evidence={
                **_evidence(trial),
                "is_explained": True,
                "failure": "The GPU is in use: its memory is full",
            },
            severity=Severity.WARNING,
            step="in-use",
        )
    elif NO_IMAGE in error:
        major, minor = trial.capability or (0, 0)
        name = trial.device_name or "the GPU"
        yield Finding(
            f"the first kernel on {name} finds no code, though this torch has it for {major}.{minor}",
            evidence={
                **_evidence(trial),
                "is_explained": True,
                "failure": "CUDA starts, but finds no code for the GPU in torch",
            },
            step=RESTART if isinstance(torch.version, Absent) or torch.local_tag is None else "same-again",
        )
    else:
        yield Finding(
            f"the first kernel on {trial.device_name or 'the GPU'} fails: {first_line}",
            evidence={**_evidence(trial), "failure": "CUDA starts, but torch cannot compute on the GPU"},
            step=RESTART,
        )


def _has_code(torch: TorchInstall, trial: CudaTrial, *, is_windows: bool) -> bool:
    """Return whether this torch is known to have code for the card that it was tried on."""
    found, capability = find_architectures(torch, trial, is_windows=is_windows), trial.capability
    return not isinstance(found, Absent) and capability is not None and found[0].covers(capability)


def _describe_unavailable(
    trial: CudaTrial, variables: EnvironmentVariables | Absent, gpu_count: int | None
) -> Finding:
    """Report the reason that torch gives, or skip if another check reports the cause."""
    visible_devices = variables.find(VISIBLE_DEVICES) if isinstance(variables, EnvironmentVariables) else None
    if visible_devices is not None and hides_every_gpu(visible_devices, gpu_count):
        raise Skip(f"{VISIBLE_DEVICES} hides every GPU; see hurtful-environment-variables")
    if any("too old" in text for text in trial.warnings):
        raise Skip("torch reports that the driver is too old; see driver-too-old")
    warning = next((line for text in trial.warnings if "CUDA" in text for line in text.splitlines()), None)
    words = warning or (trial.refusal or "").partition("\n")[0]
    reason = f"torch says: {words}" if words else "torch does not say why"
    setting = f" ({VISIBLE_DEVICES} is {visible_devices.strip()})" if visible_devices else ""
    return Finding(
        f"torch.cuda.is_available() is False{setting}; {reason}",
        evidence=_evidence(trial),
        step="hidden" if setting else RESTART,
    )


def _describe_cpu_build(torch: TorchInstall) -> dict[str, object]:
    """Return pip's arguments for the CPU build of the same release, if its companions are known."""
    version = torch.version
    same = None if isinstance(version, Absent) else name_set(version.partition("+")[0], "cpu")
    return {"cpu_set": same} if same else {}


def _evidence(trial: CudaTrial) -> dict[str, object]:
    return {
        "outcome": trial.outcome,
        "available": trial.available,
        "device_count": trial.device_count,
        "kernel_error": trial.kernel_error,
        "refusal": trial.refusal,
        "warnings": list(trial.warnings),
    }
