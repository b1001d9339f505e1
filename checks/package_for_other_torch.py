"""A package with compiled code, such as xformers, was built for another torch than the installed one."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.releases import (
    find_companion,
    find_named_torch,
    find_required_torch,
    list_companions,
)
from torchdoctor.domain.requirements import name_companion
from torchdoctor.domain.versions import VersionError, parse_range, parse_release
from torchdoctor.facts import Absent, Companions, CondaEnvironment, Distributions, TorchInstall
from torchdoctor.facts.partial import find_value

# torchvision-mismatch reports these.
REPORTED_ELSEWHERE = frozenset({"torchvision", "torchaudio"})


@check
def package_for_other_torch(
    torch: TorchInstall,
    companions: Companions | Absent,
    distributions: Distributions | Absent,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Compare torch with the range in the metadata of a package, or else with the table of releases."""
    version = known(torch.version)
    judged = False
    for name, release, required in _list_packages(companions, distributions):
        if isinstance(conda, CondaEnvironment) and conda.find(name) is not None:
            continue
        try:
            is_met = version in parse_range(required)
        except VersionError:
            continue
        judged = True
        if is_met:
            yield Passed(f"{name} {release} goes with torch {version}")
        else:
            yield _describe(name, release, required, torch)
    if not judged:
        raise Skip("no package is installed whose release is for certain releases of torch")


def _list_packages(
    companions: Companions | Absent, distributions: Distributions | Absent
) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the release and the range of torch of each package of which that is known."""
    listed = () if isinstance(companions, Absent) else companions.installed
    installed = () if isinstance(distributions, Absent) else distributions.installed
    required = {each.name: (each.version, find_value(each, "required_torch")) for each in listed}
    for each in installed:
        name = each.name.lower().replace("_", "-")
        if name in list_companions() or find_named_torch(each.version):
            required.setdefault(name, (each.version, None))
    for name, (release, torch) in required.items():
        stated = torch if isinstance(torch, str) and torch else find_required_torch(name, release)
        stated = find_named_torch(release) or stated
        if stated and name not in REPORTED_ELSEWHERE:
            yield name, release, stated


def _describe(name: str, release: str, required: str, torch: TorchInstall) -> Finding:
    version, cuda = known(torch.version), find_value(torch, "cuda")
    fitting = find_companion(name, ".".join(map(str, parse_release(version))))
    arguments = None
    if fitting and not isinstance(cuda, Absent):
        arguments = name_companion(name, fitting, version, cuda)
    wants = (
        f"is built for torch {required[2:].removesuffix('.*')}"
        if required.startswith("==")
        else f"requires torch {required}"
    )
    step = "fitting" if arguments else "without"
    if name == "torchtext" and not arguments:
        step = "torchtext"
    own_set = None
    if name == "torch-directml" and required.startswith("=="):
        own = required.removeprefix("==")
        vision = find_companion("torchvision", own)
        step, own_set = "directml", f"torch=={own} torchvision=={vision}" if vision else None
    return Finding(
        f"{name} {release} {wants}, and torch is {version}",
        evidence={
            "package": name,
            "needed_version": required,
            "torch_version": version,
            **({"fitting": arguments} if arguments else {}),
            **({"directml_set": own_set} if own_set else {}),
        },
        severity=Severity.WARNING,
        step=step,
    )
