"""A package with compiled code, such as xformers, was built for another torch than the installed one."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.releases import find_companion, find_required_torch, list_companions
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
    required = {each.name: (each.version, find_value(each, "required_torch")) for each in listed}
    for name in list_companions():
        found = None if isinstance(distributions, Absent) else _find(distributions, name)
        if found is not None:
            required.setdefault(name, (found, None))
    for name, (release, torch) in required.items():
        stated = torch if isinstance(torch, str) and torch else find_required_torch(name, release)
        if stated and name not in REPORTED_ELSEWHERE:
            yield name, release, stated


def _find(distributions: Distributions, name: str) -> str | None:
    found = next((each for each in distributions.installed if each.name.lower() == name), None)
    return None if found is None else found.version


def _describe(name: str, release: str, required: str, torch: TorchInstall) -> Finding:
    version, cuda = known(torch.version), find_value(torch, "cuda")
    fitting = find_companion(name, ".".join(map(str, parse_release(version))))
    arguments = None
    if fitting and not isinstance(cuda, Absent):
        arguments = name_companion(name, fitting, version, cuda)
    wants = (
        f"is built for torch {required[2:]}" if required.startswith("==") else f"requires torch {required}"
    )
    return Finding(
        f"{name} {release} {wants}, and torch is {version}",
        evidence={
            "package": name,
            "needed_version": required,
            "torch_version": version,
            **({"fitting": arguments} if arguments else {}),
        },
        severity=Severity.WARNING,
        step="fitting" if arguments else "without",
    )
