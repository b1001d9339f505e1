"""This torch has no code for the GPU's compute capability."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.cuda_builds import Architectures, choose_variant, find_architectures
from torchdoctor.facts import Absent, CudaTrial, Gpu, NvidiaDriver, OperatingSystem, TorchInstall

NO_IMAGE = "no kernel image is available"


@check
def unsupported_gpu_arch(
    system: OperatingSystem, torch: TorchInstall, driver: NvidiaDriver, trial: CudaTrial | Absent
) -> Iterator[Finding | Passed]:
    """Believe a kernel that ran or failed before any list; a second, idle old card is no error."""
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA")
        return
    gpus = known(driver.gpus)
    if not gpus:
        raise Skip("the driver lists no GPU")
    if all(isinstance(gpu.compute_capability, Absent) for gpu in gpus):
        known(gpus[0].compute_capability)
    found = known(find_architectures(torch, trial, is_windows=system.system == "windows"))
    architectures, source = found
    lacking = [gpu for gpu in gpus if not _is_covered(gpu, architectures)]
    failed = isinstance(trial, CudaTrial) and NO_IMAGE in (trial.kernel_error or "")
    ran = isinstance(trial, CudaTrial) and trial.kernel_ran
    if failed and not lacking:
        raise Skip(f"the first kernel found no code for this GPU, though torch lists it ({source})")
    if not lacking:
        yield Passed(f"{_describe(gpus)}: covered by {architectures.describe()} ({source})")
    elif ran and len(gpus) == 1:
        yield Passed(f"{_describe(gpus)}: a first kernel ran")
    else:
        is_alone = not ran and len(lacking) == len(gpus)
        named, listed = _describe(lacking), architectures.describe()
        severity = Severity.WARNING if is_alone else Severity.NOTE
        is_certain = failed or (is_alone and not _can_compile(lacking, architectures))
        yield Finding(
            f"torch has no code for {named}; it has {listed} ({source})",
            evidence={
                "gpus": named,
                "supported_sm": listed,
                "kernel_failed": failed,
                "index": choose_variant(driver),
            },
            severity=None if is_certain else severity,
            step=_choose_step(lacking, architectures),
        )


def _is_covered(gpu: Gpu, architectures: Architectures) -> bool:
    # What could not be asked is not called unsupported.
    return isinstance(gpu.compute_capability, Absent) or architectures.covers(gpu.compute_capability)


def _choose_step(gpus: list[Gpu], architectures: Architectures) -> str | None:
    found = [gpu.compute_capability for gpu in gpus]
    capabilities = [capability for capability in found if not isinstance(capability, Absent)]
    if not capabilities or not architectures.binary:
        return None
    return "newer" if max(capabilities) > max(architectures.binary) else "older"


def _can_compile(gpus: list[Gpu], architectures: Architectures) -> bool:
    """Tell whether the driver may compile what is lacking, which is slow at best."""
    return all(
        not isinstance(gpu.compute_capability, Absent) and architectures.can_compile(gpu.compute_capability)
        for gpu in gpus
    )


def _describe(gpus: tuple[Gpu, ...] | list[Gpu]) -> str:
    return ", ".join(
        gpu.name
        if isinstance(gpu.compute_capability, Absent)
        else f"{gpu.name} ({gpu.compute_capability[0]}.{gpu.compute_capability[1]})"
        for gpu in gpus
    )
