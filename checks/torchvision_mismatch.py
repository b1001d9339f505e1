"""torchvision or torchaudio was built for another version of torch than the installed one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.releases import INDEXES, find_companion, find_required_torch, is_rocm_build
from torchdoctor.domain.requirements import name_companion, name_index
from torchdoctor.domain.versions import VersionError, parse_range, parse_release
from torchdoctor.facts import Absent, Companion, Companions, CondaEnvironment, TorchInstall
from torchdoctor.facts.partial import find_value

PACKAGES = ("torchvision", "torchaudio")
# "Could not run 'torchvision::nms' with arguments from the 'CUDA' backend".
FAILS_ON_GPU = {"torchvision": ": torchvision::nms and the like fail on the GPU"}


@check
def torchvision_mismatch(
    torch: TorchInstall, companions: Companions, conda: CondaEnvironment | Absent
) -> Iterator[Finding | Passed]:
    """Compare with each release's own requirement; releases newer than the table are not judged."""
    version = known(torch.version)
    known_companions = [companion for companion in companions.installed if companion.name in PACKAGES]
    if not known_companions:
        raise Skip("neither torchvision nor torchaudio is installed")
    results: list[Finding | Passed] = []
    for companion in known_companions:
        if isinstance(conda, CondaEnvironment) and conda.find(companion.name):
            origin = "comes from conda, which has its own version requirements"
            results.append(Passed(f"{companion.name} {companion.version} {origin}"))
        else:
            results.append(_compare_versions(torch, version, companion))
    yield from _join_commands(results)


def _join_commands(results: Sequence[Finding | Passed]) -> Iterator[Finding | Passed]:
    """Yield the results; one command installs all packages that do not fit."""
    fitting = [
        arguments.split(" ", 1)
        for result in results
        if isinstance(result, Finding) and isinstance(arguments := result.evidence.get("fitting"), str)
    ]
    joined = " ".join([*(release for release, _ in fitting), *(index for _, index in fitting[:1])])
    for result in results:
        if isinstance(result, Finding) and result.evidence.get("fitting"):
            yield replace(result, evidence={**result.evidence, "fitting": joined})
        else:
            yield result


def _compare_versions(torch: TorchInstall, version: str, companion: Companion) -> Finding | Passed:
    if not _is_release(version) or not _is_release(companion.version):
        return _compare_days(torch, version, companion)
    required_torch = find_required_torch(companion.name, companion.version)
    evidence: dict[str, str | None] = {
        "misfit": companion.name,
        "needed_version": required_torch,
        "torch_version": version,
    }
    if required_torch is None:
        return Passed(f"{companion.name} {companion.version}: which torch it wants is not known here")
    if version not in parse_range(required_torch):
        if is_rocm_build(companion.version) and not is_rocm_build(version):
            return _describe_lost_torch(version, companion, evidence)
        fitting_release = find_companion(companion.name, ".".join(map(str, parse_release(version))))
        hint = f"; torch {version} goes with {companion.name} {fitting_release}" if fitting_release else ""
        fitting = _fitting_evidence(companion, fitting_release, torch)
        # Known to be a CPU build, which the step for a CUDA build would replace.
        is_cpu_build = find_value(torch, "cuda") is None
        return Finding(
            f"{companion.name} {companion.version} is built for torch {required_torch.lstrip('=')}, and torch"
            f" is {version}{hint}",
            evidence=evidence | fitting,
            # Without the build, the index of the command would be a guess.
            step="fitting" if fitting else None if fitting_release or is_cpu_build else "reinstall",
        )
    if torch.cuda and _is_cpu_build(companion) and _has_builds_for(companion, version):
        return Finding(
            f"torch {version} is built for CUDA {torch.cuda}, {companion.name} {companion.version} is not"
            f"{FAILS_ON_GPU.get(companion.name, '')}",
            evidence=evidence | _fitting_evidence(companion, companion.version.partition("+")[0], torch),
            step="fitting",
            severity=Severity.WARNING,
        )
    return Passed(f"{companion.name} {companion.version} goes with torch {version}")


def _compare_days(torch: TorchInstall, version: str, companion: Companion) -> Finding | Passed:
    """Compare the day of a nightly torch with the day that a nightly companion pins in its metadata."""
    label = f"{companion.name} {companion.version}"
    pinned = find_value(companion, "required_torch")
    wanted, found = _find_day(pinned if isinstance(pinned, str) else ""), _find_day(version)
    if wanted is None or found is None:
        return Passed(f"{label} and torch {version}: a pre-release is not compared")
    if wanted == found:
        return Passed(f"{label} goes with torch {version}")
    index = name_index(version, cuda if isinstance(cuda := find_value(torch, "cuda"), str) else None)
    return Finding(
        f"{label} was built with the torch of {wanted}, and torch {version} is of {found}:"
        " builds of different days",
        evidence={
            "misfit": companion.name,
            "needed_version": str(pinned),
            "torch_version": version,
            **({"nightly_index": f"{INDEXES}/{index}"} if index else {}),
        },
        # Most neighbouring days go together; which ones do not is written nowhere.
        severity=Severity.NOTE,
        step="nightly" if index else None,
    )


def _find_day(version: str) -> str | None:
    """Return the day of a nightly build: "2.16.0.dev20261120+cu132" is of 2026-11-20."""
    found = re.search(r"\.dev(20\d\d)(\d\d)(\d\d)(?!\d)", version)
    return "-".join(found.groups()) if found else None


def _describe_lost_torch(version: str, companion: Companion, evidence: dict[str, str | None]) -> Finding:
    """Report a torch that came in the place of AMD's, whose companions tell what was there."""
    return Finding(
        f"{companion.name} {companion.version} is AMD's, and torch {version} is not: it came in the place of"
        " AMD's torch, or lies before it",
        evidence=evidence | {"maker": "amd"},
        step="amd-again",
    )


def _fitting_evidence(
    companion: Companion, release: str | None, torch: TorchInstall
) -> dict[str, str | None]:
    cuda = find_value(torch, "cuda")
    if not release or isinstance(cuda, Absent):
        return {}
    return {"fitting": name_companion(companion.name, release, known(torch.version), cuda)}


def _has_builds_for(companion: Companion, torch_version: str) -> bool:
    """Return whether a companion has this torch's build; the last torchaudio has none for later torch."""
    release = ".".join(map(str, parse_release(torch_version)))
    number = companion.version.partition("+")[0]
    return companion.name != "torchaudio" or number in (release, find_companion("torchaudio", release))


def _is_cpu_build(companion: Companion) -> bool:
    return companion.cuda is None and companion.version.partition("+")[2] == "cpu"


def _is_release(version: str) -> bool:
    # Pre-releases such as "2.9.0.dev20250801" and "2.8.0a0+gitba56102" are pinned by day or commit.
    number = version.partition("+")[0]
    try:
        return ".".join(map(str, parse_release(number))) == number
    except VersionError:
        return False
