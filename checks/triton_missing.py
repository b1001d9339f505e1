"""A package needs Triton and it is not installed, or not of the series that this torch works with."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Distributions, TorchInstall

# What torch's own metadata requires of Triton (on Linux), by torch's minor release. There is no
# triton-windows 3.9 yet, so 2.15 is not here.
SERIES: dict[tuple[int, ...], tuple[int, ...]] = {
    (2, 8): (3, 4),
    (2, 9): (3, 5),
    (2, 10): (3, 6),
    (2, 11): (3, 6),
    (2, 12): (3, 7),
    (2, 13): (3, 7),
    (2, 14): (3, 8),
}
# Packages whose kernels are written in Triton.
USERS = ("flash-linear-attention", "liger-kernel", "sageattention", "unsloth")


@check
def triton_missing(torch: TorchInstall, distributions: Distributions) -> Iterator[Finding | Passed]:
    """torch itself runs without Triton, so it takes a package that needs it, or one of the wrong series."""
    version = known(torch.version)
    found = distributions.find("triton-windows") or distributions.find("triton")
    users = [name for name in USERS if distributions.find(name)]
    wanted = SERIES.get(_read_minor(version))
    series = f"{wanted[0]}.{wanted[1]}" if wanted else None
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA; only its GPU code uses Triton")
    elif found is None and users:
        wish = f" (series {series} for torch {version})" if series else ""
        yield Finding(
            f"Triton is needed by {', '.join(users)}, and triton-windows{wish} is not installed",
            evidence={"users": users, "series": series},
            severity=Severity.NOTE,
            step="series" if series else None,
        )
    elif found is None:
        yield Passed("Triton is not installed, and no installed package is known to need it")
    elif wanted is None or not _read_minor(found.version) or _read_minor(found.version) == wanted:
        yield Passed(f"{found.name} {found.version or 'of unknown version'} with torch {version}")
    else:
        yield Finding(
            f"{found.name} {found.version} is not of series {series}, which torch {version} works with",
            evidence={"installed": found.version, "series": series},
            severity=Severity.NOTE,
            step="series" if series else None,
        )


def _read_minor(version: str) -> tuple[int, ...]:
    try:
        return parse_release(version)[:2]
    except VersionError:
        return ()
