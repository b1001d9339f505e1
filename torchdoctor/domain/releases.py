"""Look up releases of torch: the Pythons that they have wheels for, and the companions that fit them."""

import re
from functools import cache

from torchdoctor.core.bundled import read_bundled
from torchdoctor.domain.versions import VersionError, accepts, parse_release

# Each index below this address is named like the local part of the versions on it.
INDEXES = "https://download.pytorch.org/whl"

# The date on which the tables were read from the package index; later releases are not in them.
READ_ON = "2026-11-20"

# The series of Triton that torch's metadata requires (on Linux), by torch's minor release. 2.15 is left out:
# there is no triton-windows 3.9 yet.
_TRITON_SERIES: dict[tuple[int, ...], tuple[int, ...]] = {
    (2, 5): (3, 1),
    (2, 6): (3, 2),
    (2, 7): (3, 3),
    (2, 8): (3, 4),
    (2, 9): (3, 5),
    (2, 10): (3, 6),
    (2, 11): (3, 6),
    (2, 12): (3, 7),
    (2, 13): (3, 7),
    (2, 14): (3, 8),
}

# The torch in the local part of a version: "torch2.4.0", "torch2.9.0andhigher" (woct0rdho/SageAttention#60),
# "torch260", of PyG's packages "pt24", of PyTorch3D's "pt2.5.1" (MiroPsota/torch_packages_builder).
_NAMED_TORCH = re.compile(
    r"torch(?:(?P<plain>\d\.\d{1,2})(?!\d)(?P<higher>[\d.]{0,3}andhigher)?|(?P<digits>\d{2,3})(?!\d))"
    r"|(?:^|\.)pt(?P<pyg>\d\d{1,2})(?=cu|cpu)|pt(?P<point>\d\.\d{1,2})(?:\.\d)?(?=cu|cpu)"
)
_DIGITS_OF_MINOR = 2

# DLLs that a release needs and its wheel does not contain. Found in the Windows wheels of these releases,
# of no others from 1.7 to 2.15; https://github.com/pytorch/pytorch/issues/131662 and /125109.
_UNSHIPPED_DLLS: dict[tuple[int, ...], tuple[str, ...]] = {
    (2, 3, 0): ("mkl_intel_thread.1.dll", "vcomp140.dll"),
    (2, 3, 1): ("mkl_intel_thread.1.dll", "vcomp140.dll"),
    (2, 4, 0): ("libomp140.x86_64.dll", "vcomp140.dll"),
}


def find_unshipped_dlls(torch: str) -> tuple[str, ...]:
    """Return the DLLs that a release of torch needs and does not contain."""
    try:
        return _UNSHIPPED_DLLS.get(parse_release(torch), ())
    except VersionError:
        return ()


# The first release after these that needs none of them.
FIRST_WITH_ALL_DLLS = "2.4.1"


@cache
def find_releases(tag: str) -> tuple[str, ...]:
    """Return the releases with a Windows wheel for a CPython tag ("cp312", "cp313t"), oldest first."""
    return tuple(torch for torch, tags in _read_table("torch_python.csv") if tag in tags.split())


@cache
def find_pythons(torch: str) -> tuple[tuple[int, ...], ...]:
    """Return the versions of CPython for which a release has a Windows wheel, lowest first; () if unknown."""
    tags = next((tags for release, tags in _read_table("torch_python.csv") if release == torch), "")
    return tuple(sorted({parse_tag(tag) for tag in tags.split() if not tag.endswith("t")}))


def list_releases() -> tuple[str, ...]:
    """Return the releases of torch in the tables, oldest first."""
    return tuple(release for release, _ in _read_table("torch_python.csv"))


@cache
def find_newest_release() -> str:
    """Return the newest release of torch in the tables."""
    return _read_table("torch_python.csv")[-1][0]


@cache
def find_newest_python() -> tuple[int, ...]:
    """Return the newest CPython for which any release of torch in the tables has a Windows wheel."""
    return max(parse_tag(tag) for _, tags in _read_table("torch_python.csv") for tag in tags.split())


def parse_tag(tag: str) -> tuple[int, ...]:
    """Parse the version of Python in a tag: "cp313t" is (3, 13)."""
    digits = tag.removeprefix("cp").removesuffix("t")
    return int(digits[0]), int(digits[1:])


@cache
def find_required_torch(package: str, version: str) -> str | None:
    """Return the torch that a release of a package in the table requires (">=2.14.0").

    The text is empty if the release requires none; None means that the release is not in the table. Releases
    that differ in their ".post" only can be for different torch.
    """
    number = version.partition("+")[0]
    rows = [(release, torch) for name, release, torch in _read_table("companions.csv") if name == package]
    same = next((torch for release, torch in rows if release == number), None)
    if same is not None or ".post" in number:
        return same
    return next((torch for release, torch in rows if _is_same_release(release, number)), None)


def _is_same_release(release: str, number: str) -> bool:
    return ".post" not in release and parse_release(release) == parse_release(number)


def find_named_torch(version: str) -> str | None:
    """Return the torch that the version of a compiled package names, as a range, or None.

    "2.6.3+cu123torch2.4.0cxx11abiFALSE" and "2.1.2+pt24cu121" are for torch 2.4. "torch2.9.0andhigher" has no
    upper limit. Where it is not clear which release digits without a point mean, there is none: "torch210" is
    2.1.0 or 2.10.
    """
    found = _NAMED_TORCH.search(version.partition("+")[2])
    if found is None:
        return None
    if found["higher"]:
        return f">={found['plain']}"
    if found["plain"] or found["point"]:
        return f"=={found['plain'] or found['point']}.*"
    digits = found["digits"] or found["pyg"]
    if found["pyg"] or len(digits) == _DIGITS_OF_MINOR:
        return f"=={digits[0]}.{digits[1:]}.*"
    return f"=={digits[0]}.{digits[1]}.*" if digits[1] != "1" else None


@cache
def list_companions() -> tuple[str, ...]:
    """Return the packages whose releases are in the table."""
    return tuple(dict.fromkeys(row[0] for row in _read_table("companions.csv")))


@cache
def find_companion(package: str, torch: str) -> str | None:
    """Return the newest release of a companion (torchvision) that pins this release of torch, or None.

    Without one, it is the newest that accepts this release by a range, as torchvision 0.29.1 (>=2.14.0) does.
    """
    rows = [row for row in _read_table("companions.csv") if row[0] == package]
    pinning = [release for _, release, required in rows if required == f"=={torch}"]
    accepting = [
        release for _, release, required in rows if required.startswith(">=") and accepts(required, torch)
    ]
    return max(pinning or accepting, key=parse_release, default=None)


def is_rocm_build(version: str) -> bool:
    """Return whether a version names a build for AMD's GPUs: "2.9.1+rocm7.2.0"."""
    return version.partition("+")[2].startswith("rocm")


def find_triton_series(torch: str) -> str | None:
    """Return the series of triton-windows for a release of torch ("3.4" for 2.8.0), or None."""
    try:
        series = _TRITON_SERIES.get(parse_release(torch)[:2])
    except VersionError:
        return None
    return f"{series[0]}.{series[1]}" if series else None


@cache
def _read_table(name: str) -> tuple[tuple[str, ...], ...]:
    text = read_bundled("torchdoctor.domain", name).decode("ascii")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(tuple(line.split(",", 2)) for line in lines[1:])
