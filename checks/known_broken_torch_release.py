"""This release of torch needs DLLs that it does not contain and that most machines do not have."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.releases import find_unshipped_dlls
from torchdoctor.facts import Absent, DllClosure, TorchInstall


@check
def known_broken_torch_release(
    torch: TorchInstall, closure: DllClosure | Absent
) -> Iterator[Finding | Passed]:
    """Decide by the DLL closure where it is known: many machines have the DLLs that these releases need."""
    version = known(torch.version)
    needed_dlls = find_unshipped_dlls(version)
    if not needed_dlls:
        yield Passed(f"torch {version} is not one of the releases with DLLs missing")
        return
    evidence = {"torch_version": version, "needs": list(needed_dlls)}
    if isinstance(closure, Absent):
        message = f"torch {version} needs {' and '.join(needed_dlls)}, which its wheel does not bring"
        yield Finding(message, evidence=evidence, severity=Severity.WARNING)
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
