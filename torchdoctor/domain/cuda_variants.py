"""The table of torch's CUDA builds for Windows: the releases of each variant, and the GPUs it supports."""

import csv
import functools
from collections.abc import Iterable

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.domain.capabilities import Capability
from torchdoctor.domain.releases import list_releases
from torchdoctor.domain.versions import VersionError, VersionRange, parse_range, parse_release

# All CUDA builds for Windows of this release and later ones are in the table.
FIRST_IN_FULL = (1, 13)


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
class CudaBuild:
    """A row of the table of Windows builds."""

    torch: VersionRange
    variant: str
    architectures: Architectures


def find_variant(release: str) -> str | None:
    """Return a CUDA variant of the Windows builds of a release ("cu121" for 2.1.0), or None."""
    return choose_lowest_variant(find_variants(release))


def choose_lowest_variant(variants: Iterable[str]) -> str | None:
    """Return the lowest variant of CUDA 12 or newer, which runs on the most drivers, else the newest."""
    numbers = sorted(map(read_variant_number, variants))
    newer = [number for number in numbers if number >= 120]
    return f"cu{newer[0] if newer else numbers[-1]}" if numbers else None


def find_nearest_variant(release: str, wanted: str, capability: Capability | None = None) -> str | None:
    """Return the variant of a release that stands in for one that it lacks: "cu130" for "cu131", or None.

    Without one of the same CUDA it is the variant of the release that runs on the most drivers. It has code
    for a card, if its `capability` is given.
    """
    variants = find_variants_for_card(release, capability)
    return _choose_nearest(variants, read_variant_number(wanted)) or choose_lowest_variant(variants)


def find_variants_for_card(release: str, capability: Capability | None) -> tuple[str, ...]:
    """Return the variants of a release that have code for a card, lowest first; all where it is not known."""
    return tuple(
        variant
        for variant in find_variants(release)
        if capability is None or _covers(release, variant, capability)
    )


def _covers(release: str, variant: str, capability: Capability) -> bool:
    builds = (build for build in read_builds() if build.variant == variant and release in build.torch)
    return any(build.architectures.covers(capability) for build in builds)


def find_variant_of_toolkit(version: str) -> str | None:
    """Return the variant for which a toolkit can compile extensions: "cu124" for "12.5", or None.

    torch refuses a toolkit of another number before the point only.
    """
    wanted = read_variant_number(f"cu{version.replace('.', '')}")
    return _choose_nearest((build.variant for build in read_builds()), wanted)


def _choose_nearest(variants: Iterable[str], wanted: int) -> str | None:
    """Return the variant of a number, else the next lower one of the same CUDA, else its lowest.

    A lower one runs wherever the wanted one does; the drivers of a CUDA run each of its variants as well.
    """
    same = [number for number in map(read_variant_number, variants) if number // 10 == wanted // 10]
    lower = [number for number in same if number <= wanted]
    return f"cu{max(lower) if lower else min(same)}" if same else None


def find_variants(release: str) -> tuple[str, ...]:
    """Return the CUDA variants of the Windows builds of a release, lowest first; () if none is known."""
    try:
        return tuple(sorted({build.variant for build in read_builds() if release in build.torch}))
    except VersionError:
        return ()


def lacks_variant(release: str, variant: str) -> bool:
    """Return whether a release has no Windows build of a variant; False where not all of them are known."""
    variants = find_variants(release)
    return bool(variants) and parse_release(release) >= FIRST_IN_FULL and variant not in variants


def find_last_release(variant: str) -> str | None:
    """Return the newest release of torch with a Windows build of a variant, or None."""
    releases = [release for release in list_releases() if variant in find_variants(release)]
    return releases[-1] if releases else None


def read_variant_number(variant: str) -> int:
    """Return the number of a variant: 126 for "cu126"."""
    return int(variant.removeprefix("cu"))


@functools.cache
def read_builds() -> tuple[CudaBuild, ...]:
    """Return the rows of the table."""
    text = read_bundled("torchdoctor.domain", "cuda_builds.csv").decode("utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(
        CudaBuild(parse_range(row["torch"]), row["variant"], _read_capabilities(row["capabilities"]))
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
