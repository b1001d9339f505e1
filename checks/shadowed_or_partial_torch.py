"""A file or folder near the script is imported in place of torch, or of a module that torch needs."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.tracebacks import find_failed_file
from torchdoctor.facts import Absent, ImportShadows, Shadow, TorchImportTrial, TorchInstall, TorchRecord


@check
def shadowed_or_partial_torch(
    shadows: ImportShadows,
    record: TorchRecord | Absent,
    torch: TorchInstall | Absent,
    trial: TorchImportTrial | Absent,
) -> Iterator[Finding | Passed]:
    """Report what hides torch on the import path, or in the current folder for programs started there."""
    findings = [_describe_shadow(shadow, trial) for shadow in shadows.shadows]
    if isinstance(record, TorchRecord) and isinstance(torch, TorchInstall) and not record.holds_package:
        findings.append(
            Finding(
                f"torch is imported from {torch.package_folder}, and torch {record.version} is installed in"
                f" {record.folder}",
                evidence={"path": torch.package_folder},
                # A source checkout that is installed in place looks the same.
                severity=Severity.WARNING,
            )
        )
    yield from findings
    if not findings:
        yield Passed(f"nothing hides torch or what it imports (folders looked into: {len(shadows.folders)})")


def _describe_shadow(shadow: Shadow, trial: TorchImportTrial | Absent) -> Finding:
    module = (
        f"the standard library's {shadow.module}" if shadow.hides == "standard library" else shadow.module
    )
    if shadow.source == "current folder":
        message = f"{shadow.path} is imported in place of {module} by programs that start in this folder"
    else:
        message = f"{shadow.path} ({shadow.source}) is imported in place of {module}"
    failure = _find_failure(shadow, trial)
    # torch imports without NumPy, and a file with a package's name may replace the package on purpose.
    is_certain = shadow.hides == "torch" or (shadow.source == "PYTHONPATH" and shadow.hides != "package")
    return Finding(
        f"{message}; import torch then raises {failure}" if failure else message,
        evidence={
            "module": shadow.module,
            "path": shadow.path,
            "source": shadow.source,
            "shadow": shadow.path.replace("\\", "/").rpartition("/")[2],
        },
        severity=None if is_certain or failure else Severity.WARNING,
        # What belongs to another Python must keep its name.
        step="other-python" if _is_of_another_python(shadow) else "rename",
    )


def _is_of_another_python(shadow: Shadow) -> bool:
    folder = shadow.path.replace("\\", "/").rpartition("/")[0].rstrip("/")
    return shadow.source == "PYTHONPATH" and folder.lower().endswith("/site-packages")


def _find_failure(shadow: Shadow, trial: TorchImportTrial | Absent) -> str | None:
    """Return the exception of `import torch` that comes from a shadow, None if none is known to."""
    if shadow.failure is not None or isinstance(trial, Absent) or trial.outcome != "raised":
        return shadow.failure
    if shadow.source == "current folder" or find_failed_file(trial, shadow.path) is None:
        return None
    return " ".join(f"{trial.exception_type}: {trial.exception_message or ''}".split())[:300]
