"""This release of torch needs DLLs that it does not contain and that most machines do not have."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.releases import FIRST_WITH_ALL_DLLS, find_companion, find_unshipped_dlls
from torchdoctor.facts import (
    Absent,
    Distributions,
    DllClosure,
    OperatingSystem,
    TorchImportTrial,
    TorchInstall,
)

COMPANIONS = ("torchvision", "torchaudio")
# ERROR_MOD_NOT_FOUND.
MISSING = 126


@check
def known_broken_torch_release(
    torch: TorchInstall,
    system: OperatingSystem | Absent,
    closure: DllClosure | Absent,
    distributions: Distributions | Absent,
    trial: TorchImportTrial | Absent,
) -> Iterator[Finding | Passed]:
    """Decide by the DLL closure where it is known: many machines have the DLLs that these releases need."""
    version = known(torch.version)
    needed_dlls = find_unshipped_dlls(version)
    if not needed_dlls:
        yield Passed(f"torch {version} is not one of the releases with DLLs missing")
        return
    evidence = {
        "torch_version": version,
        "broken_release": f"torch {version.partition('+')[0]} was",
        "needs": list(needed_dlls),
        **_name_release_set(distributions),
    }
    if isinstance(closure, Absent):
        message = f"torch {version} needs {' and '.join(needed_dlls)}, which its wheel does not bring"
        is_proved = isinstance(trial, TorchImportTrial) and trial.winerror == MISSING
        if isinstance(system, Absent) and not is_proved:
            # Only the wheels for Windows are broken, and a text may be about another system.
            raise Skip(system.reason)
        yield Finding(message, evidence=evidence, severity=None if is_proved else Severity.WARNING)
        return
    missing = [dll.name for dll in closure.missing if dll.name in needed_dlls and not dll.delayed]
    if missing:
        absence = ""
        if closure.system_listed:
            absence = f" and which {'is' if len(missing) == 1 else 'are'} not on this machine"
        yield Finding(
            f"torch {version} needs {' and '.join(missing)}, which its wheel does not bring{absence}",
            evidence={**evidence, "missing": missing},
            severity=None if closure.system_listed else Severity.WARNING,
        )
    else:
        yield Passed(
            f"torch {version} needs {' and '.join(needed_dlls)} from elsewhere, and finds what it imports"
        )


def _name_release_set(distributions: Distributions | Absent) -> dict[str, str]:
    """Return the packages to install: torch, and those of its companions that are there."""
    if isinstance(distributions, Absent) or not distributions.is_complete:
        return {}
    companions = [
        f"{name}=={find_companion(name, FIRST_WITH_ALL_DLLS)}"
        for name in COMPANIONS
        if distributions.find(name)
    ]
    note = "with the packages that belong to it" if companions else "in its place"
    return {"release_set": " ".join((f"torch=={FIRST_WITH_ALL_DLLS}", *companions)), "release_note": note}
