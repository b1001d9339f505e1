"""conda and pip have both installed torch, NumPy or MKL into one environment."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import CondaEnvironment, CondaPackage, Distribution, Distributions, Interpreter

# What each side calls the packages whose DLLs must fit each other; pip's name first.
NAMES = {
    "torch": ("pytorch", "pytorch-cpu", "pytorch-gpu", "libtorch"),
    "numpy": ("numpy", "numpy-base"),
    "mkl": ("mkl",),
    "intel-openmp": ("intel-openmp",),
}


@check
def conda_pip_mix(
    conda: CondaEnvironment, distributions: Distributions, interpreter: Interpreter
) -> Iterator[Finding | Passed]:
    """A package that only pip has is well in a conda environment; one of both is not known to either."""
    findings = 0
    for name, others in NAMES.items():
        distribution = distributions.find(name)
        package = next((found for other in others if (found := conda.find(other))), None)
        if distribution is None or _is_same_version(distribution, package):
            continue
        if not is_below(distribution.folder, conda.prefix):
            findings += 1
            place = "the user's packages" if _is_users(distribution, interpreter) else "another place"
            yield Finding(
                f"{name} {distribution.version} comes from {place} ({distribution.folder}),"
                f" not from the conda environment {conda.prefix}",
                evidence={"path": distribution.folder},
                severity=Severity.WARNING,
                step="user",
            )
        elif package is not None:
            findings += 1
            yield Finding(
                f"conda installed {package.name} {package.version} in {conda.prefix}, and"
                f" {name} {distribution.version} lies over it",
                evidence={"conda": package.version, "pip": distribution.version},
                severity=Severity.WARNING,
                step="anew",
            )
    if not findings:
        yield Passed(f"torch, NumPy and MKL in {conda.prefix} are each from one side")


def _is_same_version(distribution: Distribution, package: CondaPackage | None) -> bool:
    """Tell whether both sides mean the same: the usual case, because conda writes a dist-info, too."""
    if package is None:
        return False
    try:
        return parse_release(distribution.version) == parse_release(package.version)
    except VersionError:
        return True


def _is_users(distribution: Distribution, interpreter: Interpreter) -> bool:
    return interpreter.user_base is not None and is_below(distribution.folder, interpreter.user_base)
