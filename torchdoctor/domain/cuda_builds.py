"""Find which driver CUDA builds of torch need, and which GPUs they have code for."""

import csv
import functools
from collections.abc import Iterable

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.domain.versions import VersionError, VersionRange, parse_range, parse_release
from torchdoctor.facts import Absent, CudaTrial, NvidiaDriver, TorchInstall

Capability = tuple[int, int]


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


@record
class Architectures:
    """The compute capabilities that a build has code for: machine code, or PTX for the driver to compile."""

    binary: tuple[Capability, ...]
    ptx: tuple[Capability, ...]

    def covers(self, capability: Capability) -> bool:
        """Return whether machine code runs on a GPU: same major number, minor number not higher."""
        major, minor = capability
        return any(x == major and y <= minor for x, y in self.binary)

    def can_compile(self, capability: Capability) -> bool:
        """Return whether the driver can compile PTX of the build for a GPU."""
        return any(ptx_capability <= capability for ptx_capability in self.ptx)

    def describe(self) -> str:
        """Return the capabilities as text: "7.5, 8.6, 9.0, 3.7 as PTX"."""
        binary = [f"{x}.{y}" for x, y in sorted(self.binary)]
        return ", ".join([*binary, *(f"{x}.{y} as PTX" for x, y in sorted(self.ptx))])


@record
class _Build:
    """A row of the table of Windows builds."""

    torch: VersionRange
    variant: str
    architectures: Architectures


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
    for build in _read_builds():
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


def choose_variant(driver: NvidiaDriver | Absent) -> str | None:
    """Return the variant of the Windows builds ("cu126") that runs on every GPU of a driver, or None.

    Of the variants with the newest torch, it is the one with the lowest CUDA, which runs on the most drivers.
    """
    if isinstance(driver, Absent) or isinstance(driver.version, Absent) or isinstance(driver.gpus, Absent):
        return None
    capabilities = [
        gpu.compute_capability for gpu in driver.gpus if not isinstance(gpu.compute_capability, Absent)
    ]
    # pip installs the newest torch of an index, so that one has to fit.
    newest_builds = {build.variant: build for build in sorted(_read_builds(), key=_find_upper_bound)}
    fitting = [
        build
        for build in newest_builds.values()
        if capabilities
        and all(map(build.architectures.covers, capabilities))
        and _is_supported_by(driver.version, build.variant)
    ]
    if not fitting:
        return None
    newest_bound = max(map(_find_upper_bound, fitting))
    return min(
        (build.variant for build in fitting if _find_upper_bound(build) == newest_bound),
        key=_read_variant_number,
    )


def find_variant(release: str, capability: Capability | None) -> str | None:
    """Return a CUDA variant of the Windows builds of a release ("cu121" for 2.1.0), or None.

    It has code for the capability, if that is known. It is the lowest of CUDA 12 or newer, which runs on the
    most drivers, else the newest.
    """
    try:
        variants = [
            _read_variant_number(build.variant)
            for build in _read_builds()
            if release in build.torch and (capability is None or build.architectures.covers(capability))
        ]
    except VersionError:
        return None
    newer = [number for number in variants if number >= 120]
    return f"cu{min(newer) if newer else max(variants)}" if variants else None


def _find_upper_bound(build: _Build) -> tuple[int, ...]:
    """Return the upper bound of the versions of torch in a row of the table."""
    return max(bound for operator, bound, _ in build.torch.clauses if operator == "<")


def _is_supported_by(driver_version: str, variant: str) -> bool:
    floor = FLOORS["windows"].get(_read_variant_number(variant) // 10)
    try:
        return floor is not None and parse_release(driver_version) >= floor.advised
    except VersionError:
        return False


def _read_variant_number(variant: str) -> int:
    return int(variant.removeprefix("cu"))


@functools.cache
def _read_builds() -> tuple[_Build, ...]:
    text = read_bundled("torchdoctor.domain", "cuda_builds.csv").decode("utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(
        _Build(parse_range(row["torch"]), row["variant"], _read_capabilities(row["capabilities"]))
        for row in rows
    )


def _read_capabilities(text: str) -> Architectures:
    def read_capability(item: str) -> Capability:
        major, _, minor = item.removesuffix("+PTX").partition(".")
        return int(major), int(minor)

    items = text.split()
    return Architectures(
        tuple(read_capability(item) for item in items),
        tuple(read_capability(item) for item in items if item.endswith("+PTX")),
    )
