"""Find which driver CUDA builds of torch need, and which GPUs they have code for."""

from collections.abc import Iterable

from torchdoctor.core.record import record
from torchdoctor.domain.cuda_variants import (
    Architectures,
    Capability,
    CudaBuild,
    choose_lowest_variant,
    read_builds,
    read_variant_number,
)
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Absent, CudaTrial, NvidiaDriver, TorchInstall


@record
class Floor:
    """The oldest driver for a major version of CUDA: below `certain` it fails, from `advised` on it works."""

    certain: tuple[int, ...]
    advised: tuple[int, ...]


# NVIDIA's table of minor-version compatibility, by CUDA's major number
# (https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html). For CUDA 12 the
# release notes name 527.41 at first and 528.33 later; for 13 only the branch is named.
FLOORS = {
    "windows": {
        11: Floor((452, 39), (452, 39)),
        12: Floor((527, 41), (528, 33)),
        13: Floor((580,), (580,)),
    },
    "linux": {
        11: Floor((450,), (450,)),
        12: Floor((525,), (525,)),
        13: Floor((580,), (580,)),
    },
}


def find_major(cuda: str) -> int | Absent:
    """Return the major number of a CUDA version: 12 for "12.8"."""
    try:
        return parse_release(cuda)[0]
    except VersionError:
        return Absent(f"the CUDA version {cuda!r} cannot be read")


def find_architectures(
    torch: TorchInstall, trial: CudaTrial | Absent, *, is_windows: bool
) -> tuple[Architectures, str] | Absent:
    """Return what this torch has code for, and where that was read: in torch itself, else in the table."""
    if isinstance(trial, CudaTrial) and trial.architectures:
        return parse_architectures(trial.architectures), "torch.cuda.get_arch_list"
    if not is_windows:
        return Absent("which GPUs this build has code for is known for Windows builds only")
    if isinstance(torch.version, Absent):
        return torch.version
    for build in read_builds():
        if build.variant == torch.local_tag and torch.version in build.torch:
            return build.architectures, f"the {build.variant} builds of this release"
    return Absent(
        f"which GPUs torch {torch.version} has code for is not recorded; torch itself was not asked"
    )


def parse_architectures(names: Iterable[str]) -> Architectures:
    """Parse names of architectures in torch's form: "sm_86", "sm_90a", "compute_37"; skip others."""
    binary, ptx = list[Capability](), list[Capability]()
    for name in names:
        kind, _, number = name.partition("_")
        digits = number.rstrip("af")
        if len(digits) < 2 or not digits.isdecimal():
            continue
        (ptx if kind == "compute" else binary).append((int(digits[:-1]), int(digits[-1])))
    return Architectures(tuple(binary), tuple(ptx))


def choose_variant(driver: NvidiaDriver | Absent, release: str | None = None) -> str | None:
    """Return the variant of the Windows builds ("cu126") that runs on every GPU of a driver, or None.

    It is a variant of the release, or without one of those with the newest torch.
    """
    if isinstance(driver, Absent) or isinstance(driver.version, Absent) or isinstance(driver.gpus, Absent):
        return None
    capabilities = [
        gpu.compute_capability for gpu in driver.gpus if not isinstance(gpu.compute_capability, Absent)
    ]
    fitting = [
        build
        for build in _list_builds(release)
        if capabilities
        and all(map(build.architectures.covers, capabilities))
        and _is_supported_by(driver.version, build.variant)
    ]
    if not fitting:
        return None
    if release is None:
        newest_bound = max(map(_find_upper_bound, fitting))
        fitting = [build for build in fitting if _find_upper_bound(build) == newest_bound]
    return choose_lowest_variant(build.variant for build in fitting)


def _list_builds(release: str | None) -> list[CudaBuild]:
    """Return the builds of a release, or without one the newest of each variant."""
    if release is None:
        # pip installs the newest torch of an index, so that one has to fit.
        return list({build.variant: build for build in sorted(read_builds(), key=_find_upper_bound)}.values())
    try:
        return [build for build in read_builds() if release in build.torch]
    except VersionError:
        return []


def _find_upper_bound(build: CudaBuild) -> tuple[int, ...]:
    """Return the upper bound of the versions of torch in a row of the table."""
    return max(bound for operator, bound, _ in build.torch.clauses if operator == "<")


def _is_supported_by(driver_version: str, variant: str) -> bool:
    floor = FLOORS["windows"].get(read_variant_number(variant) // 10)
    try:
        return floor is not None and parse_release(driver_version) >= floor.advised
    except VersionError:
        return False
