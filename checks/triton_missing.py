"""A package needs Triton, but it is not installed or has the wrong version for this torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.releases import find_triton_series
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Distribution, Distributions, TorchInstall

# The distribution for Windows, and what programs call the module of both.
NAMES = ("triton-windows", "triton")
# Packages whose kernels are written in Triton.
DEPENDENTS = ("flash-linear-attention", "liger-kernel", "sageattention", "unsloth")


@check
def triton_missing(torch: TorchInstall, distributions: Distributions) -> Iterator[Finding | Passed]:
    """Report a missing Triton only if a package needs it, because torch runs without; also a wrong series."""
    version = known(torch.version)
    series = find_triton_series(version)
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA; only its GPU code uses Triton")
        return
    triton = _find_triton(distributions)
    dependents = [] if triton else [name for name in DEPENDENTS if distributions.find(name)]
    if triton is None and dependents:
        series_hint = f" (series {series} for torch {version})" if series else ""
        yield Finding(
            f"Triton is needed by {', '.join(dependents)}, and triton-windows{series_hint} is not installed",
            evidence={"users": dependents, "series": series},
            severity=Severity.NOTE,
            step="series" if series else None,
        )
    elif triton is None:
        yield Passed("Triton is not installed, and no installed package is known to need it")
    elif series is None or not triton.version or _is_of_series(triton.version, series):
        yield Passed(f"{triton.name} {triton.version or 'of unknown version'} with torch {version}")
    else:
        yield Finding(
            f"{triton.name} {triton.version} is not of series {series}, which torch {version} works with",
            evidence={"installed": triton.version, "series": series},
            severity=Severity.NOTE,
            step="series" if series else None,
        )


def _find_triton(distributions: Distributions) -> Distribution | None:
    """Return the Triton that is listed; in a list that is not complete, either name is enough."""
    listed = {each.name.lower(): each for each in distributions.installed}
    named = next((listed[name] for name in NAMES if name in listed), None)
    return named or distributions.find(NAMES[0]) or distributions.find(NAMES[1])


def _is_of_series(version: str, series: str) -> bool:
    try:
        return parse_release(version)[:2] == parse_release(series)
    except VersionError:
        return True
