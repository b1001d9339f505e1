"""The NVIDIA driver is too old for the CUDA version that torch was built with."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.cuda_builds import (
    OLDEST_CAPABILITY,
    describe_computer,
    find_architectures,
    find_floor,
    read_needed,
)
from torchdoctor.domain.torch_choice import choose_torch
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Absent, CudaTrial, NvidiaDriver, OperatingSystem, TorchInstall
from torchdoctor.facts.partial import find_value

# c10/cuda/CUDAFunctions.cpp
REFUSAL = "driver on your system is too old"


@check
def driver_too_old(
    system: OperatingSystem | Absent,
    torch: TorchInstall,
    driver: NvidiaDriver,
    trial: CudaTrial | Absent,
) -> Iterator[Finding | Passed]:
    """Compare the major versions from CUDA 11 on: any driver for CUDA 12 runs every build for CUDA 12."""
    # The warnings are only needed where the versions do not decide.
    if (
        isinstance(find_value(torch, "cuda"), Absent)
        and isinstance(trial, CudaTrial)
        and any(REFUSAL in text for text in trial.warnings)
    ):
        yield _report_refusal(driver)
        return
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA and asks for no driver")
        return
    if driver.state != "working":
        raise Skip(f"the NVIDIA driver is {driver.state}")
    if isinstance(driver.cuda, Absent):
        known(driver.version)  # skips with the reason
    version = None if isinstance(driver.version, Absent) else driver.version
    driver_cuda = "" if isinstance(driver.cuda, Absent) else f" (CUDA {driver.cuda})"
    versions = f"driver {version or 'of unknown version'}{driver_cuda} and torch with CUDA {torch.cuda}"
    if isinstance(trial, CudaTrial) and trial.kernel_ran:
        yield Passed(f"{versions}: a first kernel ran")
        return
    if _is_wrong_build(
        torch, driver, trial, is_windows=isinstance(system, Absent) or system.system == "windows"
    ):
        raise Skip("torch has no code for this card, which no driver changes")
    name = "this system" if isinstance(system, Absent) else system.system
    yield _compare_versions(torch.cuda, driver, name, versions)


def _compare_versions(cuda: str, driver: NvidiaDriver, system: str, versions: str) -> Finding | Passed:
    """Compare what a build for a CUDA needs with the driver's number, and with the CUDA that it reports."""
    needed = known(read_needed(cuda))
    floor = find_floor(system, needed)
    version = None if isinstance(driver.version, Absent) else driver.version
    supported = None if isinstance(driver.cuda, Absent) else driver.cuda
    evidence = {"driver_version": version, "driver_cuda": supported, "cuda_version": cuda}
    offered = None if supported is None else known(read_needed(supported))
    requirement = ""
    if floor:
        requirement = f"; CUDA {_render_version(needed)} needs {_render_version(floor.advised)} or newer"
    try:
        release = None if version is None else parse_release(version)
    except VersionError as error:
        raise Skip(f"the driver's version {version!r} cannot be read") from error
    is_behind = offered is not None and offered[0] > 0 and offered[: len(needed)] < needed[: len(offered)]
    if is_behind and floor and release is not None and release >= floor.advised:
        # torch itself says what its driver supports, and that is none of this version.
        return Finding(
            f"torch is built with CUDA {cuda}, which driver {version} runs, and has met a driver for"
            f" CUDA {supported}",
            evidence=evidence,
            step="update",
        )
    if is_behind or (floor and release is not None and release < floor.certain):
        return Finding(f"{versions}{requirement}", evidence=evidence, step="update")
    if floor and release is not None and release < floor.advised:
        return Finding(
            f"{versions}{requirement}", evidence=evidence, severity=Severity.WARNING, step="update"
        )
    if floor is None and offered is None:
        raise Skip(f"which driver CUDA {cuda} needs on {system} is not known")
    return Passed(f"{versions}: the driver is new enough")


def _is_wrong_build(
    torch: TorchInstall, driver: NvidiaDriver, trial: CudaTrial | Absent, *, is_windows: bool
) -> bool:
    """Return whether no driver makes this torch run on the cards: another build does, or none ever will."""
    computer, found = describe_computer(driver), find_architectures(torch, trial, is_windows=is_windows)
    if computer is None or isinstance(found, Absent):
        return False
    if choose_torch(computer) is None and max(computer.capabilities) >= OLDEST_CAPABILITY:
        return False
    return not any(map(found[0].covers, computer.capabilities))


def _report_refusal(driver: NvidiaDriver) -> Finding:
    """Report what torch itself says, where the CUDA of its build is not known."""
    version = None if isinstance(driver.version, Absent) else driver.version
    cuda = None if isinstance(driver.cuda, Absent) else driver.cuda
    return Finding(
        f"driver {version or 'of unknown version'}{f' (CUDA {cuda})' if cuda else ''}: torch says that it is"
        " too old",
        evidence={"driver_version": version, "driver_cuda": cuda, "cuda_version": None},
        step="update",
    )


def _render_version(numbers: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in numbers)
