"""A CUDA build of torch cannot be imported, and the machine has no NVIDIA GPU."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.gpus import describe_adapters, find_nvidia_gpus
from torchdoctor.facts import Absent, DisplayAdapters, NvidiaDriver, TorchImportTrial, TorchInstall


@check
def gpu_build_without_card(
    torch: TorchInstall,
    trial: TorchImportTrial,
    driver: NvidiaDriver | Absent,
    adapters: DisplayAdapters | Absent,
) -> Iterator[Finding | Passed]:
    """Report the missing GPU only after a failed import: current CUDA builds import on every machine."""
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA")
        return
    if trial.outcome == "imported":
        yield Passed(f"torch with CUDA {torch.cuda} imports here")
        return
    gpus = known(find_nvidia_gpus(driver, adapters))
    if gpus:
        yield Passed(f"{', '.join(gpus)} is plugged in")
        return
    yield Finding(
        f"torch with CUDA {torch.cuda} does not import ({trial.outcome}), and no NVIDIA GPU is plugged in "
        f"({describe_adapters(adapters)}); the missing card may be why",
        evidence={"outcome": trial.outcome, "cuda": torch.cuda},
        severity=Severity.NOTE,
        step="cpu",
    )
