"""What CUDA builds of torch need of the driver, and which GPUs they have code for."""

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
    """The driver that a CUDA line asks for: below `certain` it fails, from `advised` on it works."""

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
    """What a build has code for: machine code, and source for the driver to compile (PTX)."""

    binary: tuple[Capability, ...]
    ptx: tuple[Capability, ...]

    def covers(self, capability: Capability) -> bool:
        """Tell whether machine code runs: the same major number, and a minor that is not above."""
        major, minor = capability
        return any(x == major and y <= minor for x, y in self.binary)

    def can_compile(self, capability: Capability) -> bool:
        """Tell whether the driver may compile code for this GPU from what the build carries."""
        return any(known <= capability for known in self.ptx)

    def describe(self) -> str:
        """List the capabilities: "7.5, 8.6, 9.0, 3.7 as PTX"."""
        binary = [f"{x}.{y}" for x, y in sorted(self.binary)]
        return ", ".join([*binary, *(f"{x}.{y} as PTX" for x, y in sorted(self.ptx))])


@record
class _Build:
    """A row of the table of Windows builds."""

    torch: VersionRange
    variant: str
    architectures: Architectures


def find_major(cuda: str) -> int | Absent:
    """Give the major number of a CUDA version ("12.8" is 12)."""
    try:
        return parse_release(cuda)[0]
    except VersionError:
        return Absent(f"the CUDA version {cuda!r} cannot be read")


def find_architectures(
    torch: TorchInstall, trial: CudaTrial | Absent, *, is_windows: bool
) -> tuple[Architectures, str] | Absent:
    """Give what this torch has code for, and whence it is known: torch's own answer before the table."""
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
    """Read names as torch gives them: "sm_86", "sm_90a", "compute_37"."""
    binary, ptx = list[Capability](), list[Capability]()
    for name in names:
        kind, _, number = name.partition("_")
        digits = number.rstrip("af")
        if len(digits) < 2 or not digits.isdecimal():
            continue
        (ptx if kind == "compute" else binary).append((int(digits[:-1]), int(digits[-1])))
    return Architectures(tuple(binary), tuple(ptx))


def choose_variant(driver: NvidiaDriver | Absent) -> str | None:
    """Name the Windows builds ("cu126") that run on every GPU of a driver, None where that is not known.

    Of those with the newest torch it is the lowest CUDA, which asks least of the driver.
    """
    if isinstance(driver, Absent) or isinstance(driver.version, Absent) or isinstance(driver.gpus, Absent):
        return None
    found = [gpu.compute_capability for gpu in driver.gpus]
    capabilities = [capability for capability in found if not isinstance(capability, Absent)]
    # pip takes the newest torch of an index, so that one has to fit.
    last = {build.variant: build for build in sorted(_read_builds(), key=_find_end)}
    fitting = [
        build
        for build in last.values()
        if capabilities
        and all(map(build.architectures.covers, capabilities))
        and _is_run_by(driver.version, build.variant)
    ]
    if not fitting:
        return None
    newest = max(map(_find_end, fitting))
    return min((build.variant for build in fitting if _find_end(build) == newest), key=_read_variant)


def _find_end(build: _Build) -> tuple[int, ...]:
    return max(bound for operator, bound, _ in build.torch.clauses if operator == "<")


def _is_run_by(driver_version: str, variant: str) -> bool:
    floor = FLOORS["windows"].get(_read_variant(variant) // 10)
    try:
        return floor is not None and parse_release(driver_version) >= floor.advised
    except VersionError:
        return False


def _read_variant(variant: str) -> int:
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
    def read(item: str) -> Capability:
        major, _, minor = item.removesuffix("+PTX").partition(".")
        return int(major), int(minor)

    items = text.split()
    return Architectures(
        tuple(read(item) for item in items), tuple(read(item) for item in items if item.endswith("+PTX"))
    )
