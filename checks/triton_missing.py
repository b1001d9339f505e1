"""A package needs Triton, but it is not installed or has the wrong version for this torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Distributions, TorchInstall

# The series of Triton that torch's metadata requires (on Linux), by torch's minor release. 2.15 is left
# out because there is no triton-windows 3.9 yet.
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
DEPENDENTS = ("flash-linear-attention", "liger-kernel", "sageattention", "unsloth")


@check
def triton_missing(torch: TorchInstall, distributions: Distributions) -> Iterator[Finding | Passed]:
    """Report a missing Triton only if a package needs it, because torch runs without; also a wrong series."""
    version = known(torch.version)
    triton = distributions.find("triton-windows") or distributions.find("triton")
    dependents = [name for name in DEPENDENTS if distributions.find(name)]
    required_series = SERIES.get(_read_minor(version))
    series = f"{required_series[0]}.{required_series[1]}" if required_series else None
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA; only its GPU code uses Triton")
    elif triton is None and dependents:
        series_hint = f" (series {series} for torch {version})" if series else ""
        yield Finding(
            f"Triton is needed by {', '.join(dependents)}, and triton-windows{series_hint} is not installed",
            evidence={"users": dependents, "series": series},
            severity=Severity.NOTE,
            step="series" if series else None,
        )
    elif triton is None:
        yield Passed("Triton is not installed, and no installed package is known to need it")
    elif (
        required_series is None
        or not _read_minor(triton.version)
        or _read_minor(triton.version) == required_series
    ):
        yield Passed(f"{triton.name} {triton.version or 'of unknown version'} with torch {version}")
    else:
        yield Finding(
            f"{triton.name} {triton.version} is not of series {series}, which torch {version} works with",
            evidence={"installed": triton.version, "series": series},
            severity=Severity.NOTE,
            step="series" if series else None,
        )


def _read_minor(version: str) -> tuple[int, ...]:
    try:
        return parse_release(version)[:2]
    except VersionError:
        return ()
