"""torch is a CUDA build, but no NVIDIA driver is working."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.cuda_builds import OLDEST_CAPABILITY
from torchdoctor.domain.gpu_names import find_capability
from torchdoctor.domain.gpus import (
    NVIDIA,
    describe_adapters,
    find_card_of_other_maker,
    find_nvidia_gpus,
    has_virtual_adapter,
    is_wsl,
)
from torchdoctor.facts import Absent, CudaTrial, DisplayAdapters, NvidiaDriver, OperatingSystem, TorchInstall
from torchdoctor.facts.partial import find_value

PROBLEMS = {
    "missing": "has no NVIDIA driver",
    "not loaded": "has an NVIDIA driver that is not running",
    "mismatch": "has a driver and a driver library of two versions, as after an update without a restart",
}


@check
def no_nvidia_driver(
    system: OperatingSystem,
    torch: TorchInstall,
    driver: NvidiaDriver,
    adapters: DisplayAdapters | Absent,
    trial: CudaTrial | Absent,
) -> Iterator[Finding | Passed]:
    """Distinguish an NVIDIA GPU without a working driver from a machine without an NVIDIA GPU."""
    if driver.state == "working":
        version = "of unknown version" if isinstance(driver.version, Absent) else driver.version
        yield Passed(f"NVIDIA driver {version} is working")
        return
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA and asks for no driver")
        return
    if isinstance(trial, CudaTrial) and find_value(trial, "available") is True:
        yield Passed("CUDA is available to torch")
        return
    if isinstance(trial, CudaTrial) and find_value(trial, "outcome") == "died":
        raise Skip("asking torch for CUDA ends the process; see cuda-not-available")
    if is_wsl(system) and driver.state == "missing":
        yield _judge_wsl(system, torch)
        return
    gpus = find_nvidia_gpus(driver, adapters)
    problem = PROBLEMS.get(driver.state, f"has an NVIDIA driver that is {driver.state}")
    build = f"torch is built with CUDA {torch.cuda}"
    if isinstance(gpus, Absent):
        message = f"{build}, and this machine {problem}; {gpus.reason}"
        yield Finding(message, evidence={"state": driver.state}, severity=Severity.WARNING)
    elif gpus and all((find_capability(name) or OLDEST_CAPABILITY) < OLDEST_CAPABILITY for name in gpus):
        yield Passed(f"{', '.join(gpus)} is too old for any CUDA build, whatever the driver")
    elif gpus:
        message = f"{build}, and this machine has {', '.join(gpus)} but {problem.removeprefix('has ')}"
        yield Finding(message, evidence={"state": driver.state, "gpus": list(gpus)}, step="driver")
    elif (
        system.system == "windows" and driver.state == "not loaded" and (card := _find_absent_card(adapters))
    ):
        message = (
            f"{build}, and the NVIDIA driver is not running: {card}, which Windows knows, is not there, as"
            " in a laptop that has switched it off"
        )
        yield Finding(
            message, evidence={"state": driver.state, "card": card}, severity=Severity.WARNING, step="off"
        )
    elif (
        driver.state not in ("missing", "not loaded")
        or system.system != "windows"
        or _has_card_of_other_maker(adapters)
    ):
        # Outside Windows, a plain pip install installs the CUDA build on every machine.
        yield Passed(f"no NVIDIA GPU is plugged in ({describe_adapters(adapters)}); torch uses the CPU")
    else:
        message = f"{build}, and no NVIDIA GPU is plugged in ({describe_adapters(adapters)}): it uses the CPU"
        yield Finding(
            message,
            evidence={"state": driver.state},
            severity=Severity.NOTE,
            step="virtual" if has_virtual_adapter(adapters) else "keep",
        )


def _find_absent_card(adapters: DisplayAdapters | Absent) -> str | None:
    """Return the name of an NVIDIA card that Windows knows and that is not there now, or None."""
    if isinstance(adapters, Absent):
        return None
    names = [each.name for each in adapters.adapters if each.vendor_id == NVIDIA and each.is_present is False]
    return next(iter(names), None)


def _has_card_of_other_maker(adapters: DisplayAdapters | Absent) -> bool:
    return isinstance(adapters, DisplayAdapters) and find_card_of_other_maker(adapters) is not None


def _judge_wsl(system: OperatingSystem, torch: TorchInstall) -> Finding | Passed:
    """Judge a WSL without the driver that Windows gives it; it does not show which cards there are."""
    if "wsl2" not in system.version.lower():
        return Passed("WSL 1 knows no GPU; torch uses the CPU")
    return Finding(
        f"torch is built with CUDA {torch.cuda}, and WSL has no NVIDIA driver from Windows: it uses the CPU",
        evidence={"state": "missing"},
        severity=Severity.NOTE,
        step="wsl",
    )
