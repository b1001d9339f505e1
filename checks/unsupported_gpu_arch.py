"""This torch has no code for the GPU's compute capability."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.cuda_builds import find_architectures
from torchdoctor.domain.cuda_variants import Architectures
from torchdoctor.domain.remedies import Remedy, choose_remedy
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    CudaTrial,
    Gpu,
    Interpreter,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)
from torchdoctor.facts.partial import find_value

NO_IMAGE = "no kernel image is available"


@check
def unsupported_gpu_arch(
    system: OperatingSystem | Absent,
    torch: TorchInstall,
    driver: NvidiaDriver,
    trial: CudaTrial | Absent,
    interpreter: Interpreter | Absent,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Trust the result of a first kernel over any list; one unsupported GPU among several is no error."""
    # A build that lists architectures is one with CUDA, of whatever version.
    lists_architectures = isinstance(trial, CudaTrial) and bool(trial.architectures)
    if not lists_architectures and torch.cuda is None:
        yield Passed("this torch is built without CUDA")
        return
    gpus = known(driver.gpus)
    if not gpus:
        raise Skip("the driver lists no GPU")
    if all(isinstance(gpu.compute_capability, Absent) for gpu in gpus):
        known(gpus[0].compute_capability)  # skips with the reason
    # Of a text that names no system, the builds for Windows are looked at.
    is_windows = isinstance(system, Absent) or system.system == "windows"
    architectures, source = known(find_architectures(torch, trial, is_windows=is_windows))
    uncovered_gpus = [gpu for gpu in gpus if not _is_covered(gpu, architectures)]
    kernel_failed = isinstance(trial, CudaTrial) and NO_IMAGE in (trial.kernel_error or "")
    kernel_ran = isinstance(trial, CudaTrial) and trial.kernel_ran
    if kernel_failed and not uncovered_gpus:
        raise Skip(f"the first kernel found no code for this GPU, though torch lists it ({source})")
    if not uncovered_gpus:
        yield Passed(f"{_describe_gpus(gpus)}: covered by {architectures.describe()} ({source})")
    elif kernel_ran and len(gpus) == 1:
        yield Passed(f"{_describe_gpus(gpus)}: a first kernel ran")
    else:
        has_no_usable_gpu = not kernel_ran and len(uncovered_gpus) == len(gpus)
        descriptions, supported = _describe_gpus(uncovered_gpus), architectures.describe()
        severity = Severity.WARNING if has_no_usable_gpu else Severity.NOTE
        # The builds for another system can differ.
        is_guessed = isinstance(system, Absent) and not lists_architectures
        is_certain = kernel_failed or (
            has_no_usable_gpu and not is_guessed and not _can_compile(uncovered_gpus, architectures)
        )
        remedy = None
        if is_windows:
            has_other_gpus = len(uncovered_gpus) < len(gpus)
            remedy = _find_remedy(torch, driver, interpreter, conda, has_other_gpus=has_other_gpus)
        yield Finding(
            f"torch has no code for {descriptions}; it has {supported} ({source})",
            evidence={
                "gpus": descriptions,
                "supported_sm": supported,
                "kernel_failed": kernel_failed,
                **(remedy.values if remedy else {}),
            },
            severity=None if is_certain else severity,
            step=remedy.step if remedy else _choose_step(uncovered_gpus, architectures),
        )


def _find_remedy(
    torch: TorchInstall,
    driver: NvidiaDriver,
    interpreter: Interpreter | Absent,
    conda: CondaEnvironment | Absent,
    *,
    has_other_gpus: bool,
) -> Remedy | None:
    """Return the step for the cards of the machine; where another card works, torch is left as it is."""
    if has_other_gpus:
        return Remedy("leave", {})
    version = find_value(torch, "version")
    release = None if isinstance(version, Absent) else version.partition("+")[0]
    return choose_remedy(driver, interpreter, release, conda)


def _is_covered(gpu: Gpu, architectures: Architectures) -> bool:
    # A GPU whose capability could not be read is not reported.
    return isinstance(gpu.compute_capability, Absent) or architectures.covers(gpu.compute_capability)


def _choose_step(gpus: list[Gpu], architectures: Architectures) -> str | None:
    capabilities = [gpu.compute_capability for gpu in gpus if not isinstance(gpu.compute_capability, Absent)]
    if not capabilities or not architectures.binary:
        return None
    return "newer" if max(capabilities) > max(architectures.binary) else "older"


def _can_compile(gpus: list[Gpu], architectures: Architectures) -> bool:
    """Return whether the driver may compile code for all of the GPUs, which is slow at best."""
    return all(
        not isinstance(gpu.compute_capability, Absent) and architectures.can_compile(gpu.compute_capability)
        for gpu in gpus
    )


def _describe_gpus(gpus: tuple[Gpu, ...] | list[Gpu]) -> str:
    return ", ".join(
        gpu.name
        if isinstance(gpu.compute_capability, Absent)
        else f"{gpu.name} ({gpu.compute_capability[0]}.{gpu.compute_capability[1]})"
        for gpu in gpus
    )
