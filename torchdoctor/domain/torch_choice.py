"""Choose the release and the CUDA build of torch that fit what is known of a computer."""

import functools
from collections.abc import Iterable, Mapping, Set

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.domain.capabilities import Capability
from torchdoctor.domain.cuda_variants import (
    choose_lowest_variant,
    find_last_release,
    find_variants,
    read_builds,
    read_variant_number,
)
from torchdoctor.domain.releases import INDEXES, find_companion, find_pythons, list_releases
from torchdoctor.domain.versions import VersionError, VersionRange, parse_range, parse_release

# That of the new environments in fixes.
NEW_PYTHON = "3.12"
# Where the driver is not known: builds for CUDA 12 run with every driver since 528.33 (of January 2023).
USUAL_CUDA = 12
# Before torch 2, PyTorch's list lacked packages that torch needs, and its instructions added it to pip's own.
_FIRST_WHOLE_INDEX = (2, 0)
# Before these, its instructions took all builds from one page.
_FIRST_WITH_INDEX = (1, 10)
_FIRST_WITHOUT_AUDIO = (2, 11)


@record
class Computer:
    """What is known of a computer: () or None where it is not.

    `python` and `torch` are versions, `cuda` is the major number of the newest CUDA that the driver supports,
    and `packages` are names of installed packages. The Python may be any one up to `newest_python`, if that
    is known.
    """

    python: str | None = None
    capabilities: tuple[Capability, ...] = ()
    cuda: int | None = None
    torch: str | None = None
    packages: tuple[str, ...] = ()
    newest_python: str | None = None


@record
class Choice:
    """A build of torch; `reason` ends a sentence: "2.4.1, the last release for Python 3.8".

    `is_last_for_python` is whether the Python is why it is no newer one.
    """

    release: str
    variant: str
    reason: str
    is_newest: bool = False
    is_last_for_python: bool = False

    @property
    def arguments(self) -> str:
        """The arguments with which pip installs it and its companions; the newest release has no number."""
        same = None if self.is_newest else name_set(self.release, self.variant)
        return same or name_newest(self.variant) or ""


@functools.cache
def choose_torch(computer: Computer) -> Choice | None:
    """Return the build that fits a computer, or None if none does.

    The release that is installed is kept if a build of it fits. Packages count where cards leave a choice.
    """
    limits = _find_limits(computer.packages)
    return _choose(computer, limits) or (_choose(computer, {}) if limits else None)


def _choose(computer: Computer, limits: Mapping[str, VersionRange]) -> Choice | None:
    pythons = _list_pythons(computer)
    installed = (computer.torch or "").partition("+")[0]
    releases = list_releases()
    if installed in releases and pythons <= set(find_pythons(installed)):
        variant = find_fitting_variant(installed, computer)
        if variant is not None:
            return Choice(installed, variant, f"{installed}, the release that is installed")
    limitation, is_last_for_python = "", False
    for release in reversed(releases):
        variant = find_fitting_variant(release, computer)
        limiting = next((name for name, limit in limits.items() if release not in limit), None)
        if variant is None:
            continue
        if limiting is not None:
            limitation, is_last_for_python = f"the last release that {limiting} works with", False
        elif not pythons <= set(find_pythons(release)):
            limitation, is_last_for_python = f"the last release for {_name_pythons(pythons)}", True
        elif limitation:
            reason = f"{release}, {limitation}"
            return Choice(release, variant, reason, is_last_for_python=is_last_for_python)
        else:
            return Choice(
                release, variant, "the newest release that fits", release == find_last_release(variant)
            )
    return None


def is_python_too_old(computer: Computer) -> bool:
    """Return whether a build would fit a computer with a newer Python, and none fits this one."""
    python = _read_python(computer.python)
    if python is None or choose_torch(computer) is not None:
        return False
    other = choose_torch(Computer(capabilities=computer.capabilities, cuda=computer.cuda))
    return other is not None and python < find_pythons(other.release)[-1]


def find_fitting_variant(release: str, computer: Computer) -> str | None:
    """Return the most usable variant of a release that fits cards and a driver, or None."""
    try:
        return choose_lowest_variant(
            build.variant
            for build in read_builds()
            if release in build.torch
            and read_variant_number(build.variant) // 10 <= (computer.cuda or USUAL_CUDA)
            and all(map(build.architectures.covers, computer.capabilities))
        )
    except VersionError:
        return None


def _list_pythons(computer: Computer) -> Set[tuple[int, ...]]:
    """Return the Pythons that a computer may have; an empty set if they are not known."""
    oldest = _read_python(computer.python)
    newest = _read_python(computer.newest_python) or oldest
    if oldest is None or newest is None:
        return frozenset()
    return frozenset((oldest[0], minor) for minor in range(oldest[1], newest[1] + 1))


def _name_pythons(pythons: Set[tuple[int, ...]]) -> str:
    names = [".".join(map(str, python)) for python in sorted(pythons)]
    return f"Python {names[0]}" if len(names) == 1 else f"Python {names[0]} to {names[-1]}"


def _read_python(version: str | None) -> tuple[int, ...] | None:
    try:
        return parse_release(version or "")[:2]
    except VersionError:
        return None


def name_set(release: str, variant: str | None) -> str | None:
    """Return pip's arguments for a release with its companions from the index of a variant, or None.

    `torch==2.8.0 torchvision==0.23.0 torchaudio==2.8.0 --index-url .../whl/cu126`; None if a companion is
    not known. torchaudio 2.11 is its last release so far, and requires no release of torch.
    """
    if variant is None:
        return None
    vision, audio = (find_companion(package, release) for package in ("torchvision", "torchaudio"))
    if vision is None:
        return None
    numbers = parse_release(release)
    if audio is None and numbers < _FIRST_WITHOUT_AUDIO:
        return None
    with_audio = f"torchaudio=={audio}" if audio else "torchaudio"
    if numbers >= _FIRST_WHOLE_INDEX:
        return f"torch=={release} torchvision=={vision} {with_audio} --index-url {INDEXES}/{variant}"
    packages = f"torch=={release}+{variant} torchvision=={vision}+{variant} {with_audio}"
    if numbers < _FIRST_WITH_INDEX:
        return f"{packages} -f {INDEXES}/torch_stable.html"
    return f"{packages} --extra-index-url {INDEXES}/{variant}"


def name_set_for_variant(variant: str, computer: Computer) -> str | None:
    """Return pip's arguments for a release that has a build of a variant, with its companions, or None.

    The release that is installed is kept if it has one; else it is the last one for the Python.
    """
    pythons = _list_pythons(computer)
    releases = [
        release
        for release in list_releases()
        if variant in find_variants(release) and pythons <= set(find_pythons(release))
    ]
    if not releases:
        return None
    installed = (computer.torch or "").partition("+")[0]
    return name_set(installed if installed in releases else releases[-1], variant)


def name_newest(variant: str | None) -> str | None:
    """Return pip's arguments for the newest torch on the index of a variant with its companions, or None."""
    return f"torch torchvision torchaudio --index-url {INDEXES}/{variant}" if variant else None


def list_limited_packages() -> tuple[str, ...]:
    """Return the packages that do not work with every torch, in lower case."""
    return tuple(_read_limits())


def _find_limits(packages: Iterable[str]) -> Mapping[str, VersionRange]:
    limits = _read_limits()
    return {name: limits[name.lower()] for name in packages if name.lower() in limits}


@functools.cache
def _read_limits() -> Mapping[str, VersionRange]:
    text = read_bundled("torchdoctor.domain", "torch_limits.csv").decode("utf-8")
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    pairs = (row.split(",")[:2] for row in rows[1:])
    return {name: parse_range(limit) for name, limit in pairs}
