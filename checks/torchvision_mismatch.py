"""torchvision or torchaudio was built for another torch than the installed one."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.releases import find_companion, find_required_torch
from torchdoctor.domain.requirements import name_companion
from torchdoctor.domain.versions import VersionError, parse_range, parse_release
from torchdoctor.facts import Absent, Companion, Companions, CondaEnvironment, TorchInstall

PACKAGES = ("torchvision", "torchaudio")


@check
def torchvision_mismatch(
    torch: TorchInstall, companions: Companions, conda: CondaEnvironment | Absent
) -> Iterator[Finding | Passed]:
    """Go by what each release's metadata requires; what is newer than the table is not judged."""
    version = known(torch.version)
    judged = [companion for companion in companions.installed if companion.name in PACKAGES]
    if not judged:
        raise Skip("neither torchvision nor torchaudio is installed")
    for companion in judged:
        if isinstance(conda, CondaEnvironment) and conda.find(companion.name):
            yield Passed(f"{companion.name} {companion.version} is conda's, which has pins of its own")
            continue
        yield from _compare_versions(torch, version, companion)


def _compare_versions(torch: TorchInstall, version: str, companion: Companion) -> Iterator[Finding | Passed]:
    if not _is_release(version) or not _is_release(companion.version):
        yield Passed(
            f"{companion.name} {companion.version} and torch {version}: a pre-release is not compared"
        )
        return
    wanted = find_required_torch(companion.name, companion.version)
    evidence: dict[str, str | None] = {"needed_version": wanted, "torch_version": version}
    if wanted is None:
        yield Passed(f"{companion.name} {companion.version}: which torch it wants is not known here")
    elif version not in parse_range(wanted):
        fitting = find_companion(companion.name, ".".join(map(str, parse_release(version))))
        hint = f"; torch {version} goes with {companion.name} {fitting}" if fitting else ""
        yield Finding(
            f"{companion.name} {companion.version} is built for torch {wanted.lstrip('=')}, and torch is"
            f" {version}{hint}",
            evidence=evidence | _name_fitting(companion, fitting, version),
            step="fitting" if fitting else "reinstall",
        )
    elif torch.cuda and companion.name == "torchvision" and _is_cpu_build(companion):
        yield Finding(
            f"torch {version} is built for CUDA {torch.cuda}, {companion.name} {companion.version} is not",
            evidence=evidence | _name_fitting(companion, companion.version.partition("+")[0], version),
            step="fitting",
            severity=Severity.WARNING,
        )
    else:
        yield Passed(f"{companion.name} {companion.version} goes with torch {version}")


def _name_fitting(companion: Companion, release: str | None, torch_version: str) -> dict[str, str | None]:
    return {"fitting": name_companion(companion.name, release, torch_version)} if release else {}


def _is_cpu_build(companion: Companion) -> bool:
    return companion.cuda is None and companion.version.partition("+")[2] == "cpu"


def _is_release(version: str) -> bool:
    # "2.9.0.dev20250801" and "2.8.0a0+gitba56102" are pinned to each other by day and commit.
    number = version.partition("+")[0]
    try:
        return ".".join(map(str, parse_release(number))) == number
    except VersionError:
        return False
