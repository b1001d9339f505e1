"""Find which driver CUDA builds of torch need, and which GPUs they have code for."""

from collections.abc import Iterable

from torchdoctor.core.record import record
from torchdoctor.domain.capabilities import Capability
from torchdoctor.domain.cuda_variants import FIRST_IN_FULL, Architectures, read_builds
from torchdoctor.domain.torch_choice import Computer
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Absent, CudaTrial, NvidiaDriver, TorchInstall
from torchdoctor.facts.partial import find_value


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

# Before CUDA 11 each release asks for a driver of its own: the table of the release notes of CUDA 11.0
# (https://docs.nvidia.com/cuda/archive/11.0/cuda-toolkit-release-notes/index.html). 9.2 has an update.
_FIRST_WITH_COMPATIBLE_MINORS = 11
_NUMBERS_ON_WINDOWS = 2
_FLOORS_OF_RELEASES = {
    "windows": {
        (9, 0): Floor((385, 54), (385, 54)),
        (9, 1): Floor((391, 29), (391, 29)),
        (9, 2): Floor((397, 44), (398, 26)),
        (10, 0): Floor((411, 31), (411, 31)),
        (10, 1): Floor((418, 96), (418, 96)),
        (10, 2): Floor((441, 22), (441, 22)),
    },
    "linux": {
        (9, 0): Floor((384, 81), (384, 81)),
        (9, 1): Floor((390, 46), (390, 46)),
        (9, 2): Floor((396, 26), (396, 37)),
        (10, 0): Floor((410, 48), (410, 48)),
        (10, 1): Floor((418, 39), (418, 39)),
        (10, 2): Floor((440, 33), (440, 33)),
    },
}

# CUDA's words for a build without code for the card (cudaErrorNoKernelImageForDevice).
NO_IMAGE = "no kernel image is available"
# No CUDA build for Windows since torch 1.10 has code for an older GPU (cuda_builds.csv).
OLDEST_CAPABILITY = (3, 7)


def find_major(cuda: str) -> int | Absent:
    """Return the major number of a CUDA version: 12 for "12.8"."""
    try:
        return parse_release(cuda)[0]
    except VersionError:
        return Absent(f"the CUDA version {cuda!r} cannot be read")


def read_needed(cuda: str) -> tuple[int, ...] | Absent:
    """Return what a driver has to know of a CUDA version: (12,) for "12.8", and (10, 2) for "10.2"."""
    try:
        numbers = parse_release(cuda)
    except VersionError:
        return Absent(f"the CUDA version {cuda!r} cannot be read")
    return numbers[:1] if numbers[0] >= _FIRST_WITH_COMPATIBLE_MINORS else numbers[:2]


def find_floor(system: str, needed: tuple[int, ...]) -> Floor | None:
    """Return the oldest driver for what `read_needed` returns; None if it is not known."""
    if len(needed) > 1:
        return _FLOORS_OF_RELEASES.get(system, {}).get((needed[0], needed[1]))
    return FLOORS.get(system, {}).get(needed[0])


def find_cuda_of_driver(version: str) -> int | None:
    """Return the major number of the newest CUDA whose builds a driver runs; 10 for all before CUDA 11.

    A driver of Linux has three numbers, "535.54.03". None if the version cannot be read.
    """
    try:
        numbers = parse_release(version)
    except VersionError:
        return None
    floors = FLOORS["linux" if len(numbers) > _NUMBERS_ON_WINDOWS else "windows"]
    majors = (major for major, floor in floors.items() if numbers >= floor.certain)
    return max(majors, default=_FIRST_WITH_COMPATIBLE_MINORS - 1)


def find_architectures(
    torch: TorchInstall, trial: CudaTrial | Absent, *, is_windows: bool
) -> tuple[Architectures, str] | Absent:
    """Return what this torch has code for, and where that was read: in torch itself, else in the table."""
    if isinstance(trial, CudaTrial) and trial.architectures:
        return parse_architectures(trial.architectures), "torch.cuda.get_arch_list"
    if not is_windows:
        return Absent("which GPUs this build has code for is known for Windows builds only")
    version = find_value(torch, "version")
    if not isinstance(version, Absent):
        for build in read_builds():
            if build.variant == torch.local_tag and version in build.torch:
                return build.architectures, f"the {build.variant} builds of this release"
    cuda = find_value(torch, "cuda")
    variant = f"cu{cuda.replace('.', '')}" if isinstance(cuda, str) else ""
    found = {build.architectures for build in read_builds() if build.variant == variant}
    if len(found) == 1 and (isinstance(version, Absent) or torch.local_tag is None):
        return found.pop(), f"the {variant} builds of all releases"
    if isinstance(version, Absent):
        return version
    return Absent(f"which GPUs torch {version} has code for is not recorded; torch itself was not asked")


def list_architectures(torch: TorchInstall) -> tuple[Architectures, ...]:
    """Return what each CUDA build for Windows of a release has code for, the fewest first.

    Empty for a release of which some build is not in the table: those before 1.13 had one for CUDA 10.2.
    """
    version = find_value(torch, "version")
    try:
        if isinstance(version, Absent) or parse_release(version) < FIRST_IN_FULL:
            return ()
    except VersionError:
        return ()
    found = {build.architectures for build in read_builds() if version in build.torch}
    return tuple(sorted(found, key=lambda each: (max(each.binary), -len(each.binary))))


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


def are_too_old(driver: NvidiaDriver | Absent) -> bool:
    """Return whether a driver lists GPUs, and no CUDA build for Windows has code for any of them."""
    if isinstance(driver, Absent) or isinstance(driver.gpus, Absent) or not driver.gpus:
        return False
    capabilities = [gpu.compute_capability for gpu in driver.gpus]
    return all(not isinstance(each, Absent) and each < OLDEST_CAPABILITY for each in capabilities)


def describe_computer(driver: NvidiaDriver | Absent) -> Computer | None:
    """Return the cards and the newest CUDA of a driver, which decide on a build; None if one is not known."""
    if isinstance(driver, Absent) or isinstance(driver.version, Absent) or isinstance(driver.gpus, Absent):
        return None
    capabilities = tuple(
        gpu.compute_capability for gpu in driver.gpus if not isinstance(gpu.compute_capability, Absent)
    )
    try:
        version = parse_release(driver.version)
    except VersionError:
        return None
    supported = [major for major, floor in FLOORS["windows"].items() if version >= floor.advised]
    return Computer(capabilities=capabilities, cuda=max(supported)) if capabilities and supported else None
