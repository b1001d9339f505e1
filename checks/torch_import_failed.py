"""import torch raises an exception, ends the process, or does not finish."""

import re
from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.crashes import describe_end
from torchdoctor.facts import Absent, OperatingSystem, TorchImportTrial, TorchInstall

# Packages that torch 2.15.0 and its dependencies require; their modules have the same names.
DEPENDENCIES = frozenset(
    {
        "filelock",
        "fsspec",
        "jinja2",
        "markupsafe",
        "mpmath",
        "networkx",
        "setuptools",
        "sympy",
        "typing_extensions",
    }
)


@check
def torch_import_failed(
    trial: TorchImportTrial, torch: TorchInstall | Absent, system: OperatingSystem | Absent
) -> Iterator[Finding | Passed]:
    """Report how importing torch in a child process ended."""
    if isinstance(torch, TorchInstall) and not torch.has_init:
        if isinstance(system, Absent) or system.system == "windows":
            raise Skip("a folder without __init__.py was imported; see broken-torch-install")
        message = f"the folder {torch.package_folder} has no __init__.py: it is only a remnant of torch"
        yield Finding(message, step="remnant")
        return
    match trial.outcome:
        case "imported" if trial.exit_code == 0:
            yield Passed(f"torch {trial.version or '(no version)'} imports in {trial.seconds:.1f} s")
        case "imported":
            ending = trial.exit_meaning or "it went on, and was stopped"
            yield Finding(
                f"torch imports, but the process does not end well: {ending}",
                evidence=_evidence(trial),
                severity=Severity.WARNING,
            )
        case "raised":
            dependency = _find_missing_dependency(trial)
            yield Finding(
                f"import torch raises {_describe_exception(trial)}",
                evidence=_evidence(trial) | ({"lacking": dependency} if dependency else {}),
                step="lacking" if dependency else "anew",
            )
        case "hung":
            message = f"import torch did not finish within {trial.time_limit_seconds:.0f} s and was stopped"
            yield Finding(message, evidence=_evidence(trial), step="hang")
        case _:
            place = f", at {trial.crash.place}" if trial.crash and trial.crash.place else ""
            message = f"import torch ends the process with {describe_end(trial)}{place}"
            yield Finding(message, evidence=_evidence(trial), step="anew")


def _describe_exception(trial: TorchImportTrial) -> str:
    message = " ".join((trial.exception_message or "").split())
    return f"{trial.exception_type}: {message}" if message else str(trial.exception_type)


def _find_missing_dependency(trial: TorchImportTrial) -> str | None:
    """Return the dependency of torch that `pip install --no-deps` left out, if the exception names one."""
    match = re.fullmatch(r"No module named '(\w+)'", trial.exception_message or "")
    return match[1] if match and match[1] in DEPENDENCIES else None


def _evidence(trial: TorchImportTrial) -> dict[str, object]:
    return {
        "outcome": trial.outcome,
        "exit_code": trial.exit_code,
        "exception_type": trial.exception_type,
        "exception_message": trial.exception_message,
        "winerror": trial.winerror,
        "stderr_tail": trial.stderr_tail,
    }
