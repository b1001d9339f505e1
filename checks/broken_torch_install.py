"""Files of the installed torch are missing, truncated, or left over from another installation."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.copies import is_on_pythonpath
from torchdoctor.domain.requirements import describe_build
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import (
    Absent,
    AlteredFile,
    CudaTrial,
    Interpreter,
    TorchImportTrial,
    TorchInstall,
    TorchRecord,
)
from torchdoctor.pe import IMAGE_SUFFIXES

# What ZLUDA adds to the name of a card.
_ZLUDA = "[ZLUDA]"


@check
def broken_torch_install(
    record: TorchRecord | Absent,
    torch: TorchInstall | Absent,
    trial: TorchImportTrial | Absent,
    interpreter: Interpreter | Absent,
    cuda: CudaTrial | Absent,
) -> Iterator[Finding | Passed]:
    """Compare RECORD with the installed files; what users remove or replace on purpose is no error."""
    if isinstance(record, Absent) or not record.holds_package:
        yield _judge_without_record(record, torch)
        return
    build = _describe_installed_build(record, torch)
    # An installation would not change a folder of PYTHONPATH, which goes on to hide it.
    is_on_path = isinstance(interpreter, Interpreter) and is_on_pythonpath(record.folder, interpreter)
    findings = [
        *_find_leftovers(record, build),
        *_find_missing(record, build, trial),
        *_find_altered(record, build, cuda),
    ]
    for finding in findings:
        yield replace(finding, step="path") if is_on_path and finding.step == "restore" else finding
    if not findings:
        yield Passed(f"no DLL or module of torch {record.version} is missing or cut short")


def _judge_without_record(record: TorchRecord | Absent, torch: TorchInstall | Absent) -> Finding:
    """Report a torch folder without __init__.py, or skip: nothing else can be checked without RECORD."""
    if isinstance(torch, TorchInstall) and not torch.has_init:
        message = f"the folder {torch.package_folder} has no __init__.py: it is only a remnant of torch"
        return Finding(message, step="remove")
    if isinstance(record, Absent):
        raise Skip(record.reason)
    raise Skip(f"torch {record.version} in {record.folder} is not the torch that is imported")


def _describe_installed_build(record: TorchRecord, torch: TorchInstall | Absent) -> Mapping[str, str]:
    # With two records of torch, the record beside the torch folder is the one that applies.
    if isinstance(torch, TorchInstall) and is_below(torch.package_folder, record.folder):
        return {} if isinstance(torch.version, str) else describe_build(record.version, torch.cuda)
    return describe_build(record.version)


def _find_leftovers(record: TorchRecord, build: Mapping[str, str]) -> Iterator[Finding]:
    if not record.has_init:
        message = f"the folder torch in {record.folder} has no __init__.py"
        yield Finding(message, evidence=build, step="remove")
    if len(record.versions) > 1:
        yield Finding(
            f"{record.folder} holds records of torch {' and '.join(record.versions)}: one is left over",
            evidence=build,
            severity=Severity.WARNING,
            step="remove",
        )
    if record.leftovers:
        yield Finding(
            f"left from an unfinished installation: {', '.join(record.leftovers)} in {record.folder}",
            evidence={
                "leftovers": list(record.leftovers),
                "leftover_paths": ", ".join(
                    f'"{record.folder}{_find_separator(record.folder)}{name}"' for name in record.leftovers
                ),
            },
            step="leftovers",
            severity=Severity.NOTE,
        )


def _find_separator(folder: str) -> str:
    return "/" if folder.startswith("/") else "\\"


def _find_missing(
    record: TorchRecord, build: Mapping[str, str], trial: TorchImportTrial | Absent
) -> Iterator[Finding]:
    images = [name for name in record.missing if name.endswith(IMAGE_SUFFIXES)]
    modules = [name for name in record.missing if name.startswith("torch/") and name.endswith(".py")]
    if images:
        yield Finding(
            _describe_missing(images, record.version),
            evidence={"missing": images, **build},
            step="restore",
        )
    if modules and record.has_init:
        # Not every module is needed, and which ones an import loads is known only if it fails.
        needed = [module for module in modules if _is_named_by(module, trial)]
        yield Finding(
            _describe_missing(
                needed + [module for module in modules if module not in needed], record.version
            ),
            evidence={"missing": modules[:50], **build},
            step="restore",
            severity=None if needed else Severity.WARNING,
        )


def _is_named_by(path: str, trial: TorchImportTrial | Absent) -> bool:
    """Return whether the import of torch failed with an exception that names the module of a file.

    That is "No module named 'torch.functional'" or "cannot import name 'functional' from ... 'torch' (...)".
    """
    if isinstance(trial, Absent) or trial.exception_message is None:
        return False
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, name = module.rpartition(".")
    return f"'{module}'" in trial.exception_message or (
        f"cannot import name '{name}' from" in trial.exception_message
        and f"'{package}'" in trial.exception_message
    )


def _is_reportable(file: AlteredFile) -> bool:
    # Users edit .py files, and an editor that converts line endings changes the size.
    return file.path.endswith(IMAGE_SUFFIXES) or (file.path.endswith(".py") and file.actual_bytes == 0)


def _find_altered(
    record: TorchRecord, build: Mapping[str, str], cuda: CudaTrial | Absent
) -> Iterator[Finding]:
    """Report what differs from RECORD; a whole file with which the card computes was exchanged on purpose.

    ZLUDA puts its own libraries in the place of NVIDIA's, and CUDA then names its card so.
    """
    ran = isinstance(cuda, CudaTrial) and cuda.kernel_ran
    is_zluda = isinstance(cuda, CudaTrial) and _ZLUDA in (cuda.device_name or "")
    for file in filter(_is_reportable, record.altered):
        finding = _describe_altered(file, build)
        if not ran or finding.severity is not Severity.WARNING:
            yield finding
        elif not is_zluda:
            yield replace(finding, severity=Severity.NOTE, step="exchanged")


def _describe_altered(file: AlteredFile, build: Mapping[str, str]) -> Finding:
    sizes = f"{file.actual_bytes:,} bytes, not {file.recorded_bytes:,}"
    evidence = {
        "path": file.path,
        "actual": file.actual_bytes,
        "recorded": file.recorded_bytes,
        **build,
    }
    if file.is_cut or file.actual_bytes == 0:
        return Finding(f"{file.path} is cut short: {sizes}", evidence=evidence, step="restore")
    message = f"{file.path} is not the one of this torch: {sizes}"
    return Finding(message, evidence=evidence, severity=Severity.WARNING, step="restore")


def _describe_missing(files: list[str], version: str) -> str:
    count, verb = ("1 file", "is") if len(files) == 1 else (f"{len(files)} files", "are")
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return f"{count} of torch {version} {verb} missing: {', '.join(files[:3])}{more}"
