"""A package, such as xformers or torch-directml, is for another torch than the installed one."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.bound_packages import BoundPackage, list_bound_packages
from torchdoctor.domain.releases import find_companion
from torchdoctor.domain.requirements import name_companion
from torchdoctor.domain.torchcodec import find_torchcodec
from torchdoctor.domain.versions import parse_release
from torchdoctor.facts import Absent, Companions, CondaEnvironment, Distributions, TorchInstall
from torchdoctor.facts.partial import find_value

# torchvision-mismatch reports these.
REPORTED_ELSEWHERE = frozenset({"torchvision", "torchaudio"})
# PyPI has them, with one build for all torch of a release.
WITHOUT_BUILDS = frozenset({"torchtext", "torch-directml"})
# https://data.pyg.org/whl has a page for each torch and CUDA.
OF_PYG = frozenset({"torch-scatter", "torch-sparse", "torch-cluster", "torch-spline-conv", "pyg-lib"})


@check
def package_for_other_torch(
    torch: TorchInstall,
    companions: Companions | Absent,
    distributions: Distributions | Absent,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Compare torch with what the version, the metadata or the table of releases says of a package."""
    version = known(torch.version)
    pure_count, judged = 0, False
    for package in list_bound_packages(companions, distributions):
        if package.name in REPORTED_ELSEWHERE or _is_of_conda(package.name, conda):
            continue
        is_met = package.fits(version)
        judged = judged or is_met is not None
        if is_met is False:
            yield _describe(package, torch)
        elif is_met and package.is_compiled:
            yield Passed(f"{package.label} goes with torch {version}")
        elif is_met:
            pure_count += 1
    if pure_count:
        yield Passed(f"torch {version} is in the range of packages without compiled code ({pure_count})")
    if not judged:
        raise Skip("no installed package is known to be for certain releases of torch")


def _is_of_conda(name: str, conda: CondaEnvironment | Absent) -> bool:
    # conda chooses the versions itself, and leaves the ranges of pip in the metadata.
    return isinstance(conda, CondaEnvironment) and conda.find(name) is not None


def _describe(package: BoundPackage, torch: TorchInstall) -> Finding:
    version = known(torch.version)
    is_pin = package.torch.startswith("==") and package.is_compiled
    wants = (
        f"is built for torch {package.torch[2:].removesuffix('.*')}"
        if is_pin
        else f"requires torch {package.torch}"
    )
    step, more = _choose_step(package, torch)
    return Finding(
        f"{package.label} {wants}, and torch is {version}",
        evidence={
            "package": package.name,
            "needed_version": package.torch,
            "torch_version": version,
            **more,
        },
        # Python code alone mostly runs with another torch as well.
        severity=Severity.WARNING if package.is_compiled else Severity.NOTE,
        step=step,
    )


def _choose_step(package: BoundPackage, torch: TorchInstall) -> tuple[str, dict[str, str]]:
    """Return the step that helps, and the values in it."""
    version, cuda = known(torch.version), find_value(torch, "cuda")
    fitting = _find_fitting(package.name, version, cuda)
    if fitting:
        return "fitting", {"fitting": fitting}
    if package.name == "torchtext":
        return "torchtext", {}
    if package.name == "torch-directml" and package.torch.startswith("=="):
        own = package.torch.removeprefix("==")
        vision = find_companion("torchvision", own)
        return "directml", {"directml_set": f"torch=={own} torchvision=={vision}"} if vision else {}
    if package.name in OF_PYG and not isinstance(cuda, Absent) and torch.local_tag:
        release = ".".join(map(str, parse_release(version)))
        return "pyg", {"pyg_package": package.name, "pyg_page": f"torch-{release}+{torch.local_tag}"}
    return "without" if package.is_compiled else "stated", {}


def _find_fitting(name: str, version: str, cuda: str | Absent | None) -> str | None:
    """Return pip's arguments for the release of a package that goes with a torch, or None."""
    if name == "torchcodec":
        # PyPI has it for the CPU, which a torch for CUDA works with.
        return find_torchcodec(version)
    fitting = find_companion(name, ".".join(map(str, parse_release(version))))
    if fitting and name in WITHOUT_BUILDS:
        return f"{name}=={fitting}"
    if not fitting or isinstance(cuda, Absent):
        return None
    return name_companion(name, fitting, version, cuda)
