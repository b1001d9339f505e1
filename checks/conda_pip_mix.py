"""conda and pip have both installed torch, NumPy or MKL into one environment."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import CondaEnvironment, CondaPackage, Distribution, Distributions, Interpreter

# Packages whose DLLs must fit each other, by pip's name; the values are conda's names.
CONDA_NAMES = {
    "torch": ("pytorch", "pytorch-cpu", "pytorch-gpu", "libtorch"),
    "numpy": ("numpy", "numpy-base"),
    "mkl": ("mkl",),
    "intel-openmp": ("intel-openmp",),
}


@check
def conda_pip_mix(
    conda: CondaEnvironment, distributions: Distributions, interpreter: Interpreter
) -> Iterator[Finding | Passed]:
    """Report packages from outside the conda environment, or that conda and pip installed in two versions.

    A package that only pip installed in the environment is fine.
    """
    finding_count = 0
    for name, conda_names in CONDA_NAMES.items():
        distribution = distributions.find(name)
        package = next((found for conda_name in conda_names if (found := conda.find(conda_name))), None)
        if distribution is None or _is_same_version(distribution, package):
            continue
        if not is_below(distribution.folder, conda.prefix):
            finding_count += 1
            place = "the user's packages" if _is_user_package(distribution, interpreter) else "another place"
            yield Finding(
                f"{name} {distribution.version} comes from {place} ({distribution.folder}),"
                f" not from the conda environment {conda.prefix}",
                evidence={"path": distribution.folder},
                severity=Severity.WARNING,
                step="user",
            )
        elif package is not None:
            finding_count += 1
            yield Finding(
                f"conda installed {package.name} {package.version} in {conda.prefix}, and"
                f" {name} {distribution.version} is installed over it",
                evidence={"conda": package.version, "pip": distribution.version},
                severity=Severity.WARNING,
                step="anew",
            )
    if not finding_count:
        yield Passed(f"torch, NumPy and MKL in {conda.prefix} each come from one installer")


def _is_same_version(distribution: Distribution, package: CondaPackage | None) -> bool:
    """Return whether pip and conda record the same version; one that cannot be parsed counts as the same.

    This is the usual case, because conda writes a dist-info as well. The versions of conda do not name the
    build as those of PyTorch's index do: "2.5.1+cu121".
    """
    if package is None or ("+" in distribution.version and "+" not in package.version):
        return False
    try:
        return parse_release(distribution.version) == parse_release(package.version)
    except VersionError:
        return True


def _is_user_package(distribution: Distribution, interpreter: Interpreter) -> bool:
    return interpreter.user_base is not None and is_below(distribution.folder, interpreter.user_base)
