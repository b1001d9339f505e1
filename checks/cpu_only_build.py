"""This torch is built without CUDA, but the machine has an NVIDIA GPU."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.cuda_builds import are_too_old
from torchdoctor.domain.gpus import find_nvidia_gpus
from torchdoctor.domain.remedies import choose_remedy
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    DisplayAdapters,
    DllClosure,
    Interpreter,
    NvidiaDriver,
    TorchInstall,
)
from torchdoctor.facts.partial import find_value


@check
def cpu_only_build(
    torch: TorchInstall,
    driver: NvidiaDriver | Absent,
    adapters: DisplayAdapters | Absent,
    interpreter: Interpreter | Absent,
    conda: CondaEnvironment | Absent,
    closure: DllClosure | Absent,
) -> Iterator[Finding | Passed]:
    """Report a CPU build where a CUDA build would run, as a warning because it may be intended."""
    stated = find_value(torch, "version")
    version = "(of unknown version)" if isinstance(stated, Absent) else stated
    if torch.cuda is not None:
        yield Passed(f"torch {version} is built with CUDA {torch.cuda}")
        return
    if torch.local_tag not in (None, "cpu"):
        yield Passed(f"torch {version} is built for {torch.local_tag}")
        return
    found = find_nvidia_gpus(driver, adapters)
    if isinstance(found, Absent) and (working := _name_working_driver(driver)):
        found = (working,)
    gpus = known(found)
    if not gpus:
        yield Passed(f"torch {version} is a CPU build, and no NVIDIA GPU is plugged in")
    elif are_too_old(driver):
        yield Passed(f"torch {version} is a CPU build; {gpus[0]} is too old for any CUDA build")
    else:
        release = None if isinstance(stated, Absent) else stated.partition("+")[0]
        remedy = choose_remedy(driver, interpreter, release, conda, closure)
        yield Finding(
            f"torch {version} has no CUDA, and this machine has {', '.join(gpus)}: torch leaves it unused",
            evidence={
                **({} if isinstance(stated, Absent) else {"torch_version": stated}),
                "gpus": list(gpus),
                **({} if remedy is None else remedy.values),
            },
            severity=Severity.WARNING,
            step="install" if remedy is None else remedy.step,
        )


def _name_working_driver(driver: NvidiaDriver | Absent) -> str | None:
    """Return the card of unknown name that a driver works for, None if it is not known to work.

    NVIDIA's driver starts with a card only.
    """
    if isinstance(driver, Absent) or not isinstance(driver.gpus, Absent):
        return None
    if find_value(driver, "state") != "working":
        return None
    if not isinstance(driver.version, Absent):
        return f"an NVIDIA card (driver {driver.version})"
    return None if isinstance(driver.cuda, Absent) else f"an NVIDIA card (driver for CUDA {driver.cuda})"
