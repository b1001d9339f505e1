"""A package that torch imports, or code that Python runs at its start, ends the process."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Skip, check
from torchdoctor.domain.crashes import compare_second_trial, describe_end
from torchdoctor.facts import Absent, Crash, Interpreter, TorchImportTrial


@check
def crash_outside_torch(
    interpreter: Interpreter, trial: TorchImportTrial | Absent
) -> Iterator[Finding | Passed]:
    """Name the package or startup file that was running when the process crashed."""
    crash = None if isinstance(trial, Absent) else trial.crash
    crash = crash or interpreter.start_crash
    if crash is None or crash.culprit in (None, "torch", "numpy"):
        is_unknown = crash is None or crash.culprit is None
        if is_unknown and isinstance(trial, TorchImportTrial) and trial.outcome == "died":
            raise Skip("the import of torch ended the process, and no stack shows where")
        yield Passed("no package and no startup file crashes the process")
    elif crash.kind == "startup file":
        yield _describe_startup_file(crash, trial)
    else:
        yield _describe_package(crash, trial)


def _describe_startup_file(crash: Crash, trial: TorchImportTrial | Absent) -> Finding:
    place = crash.path or str(crash.culprit)
    line = f", line {crash.line} ({crash.code})" if crash.line is not None else ""
    proof = "" if isinstance(trial, Absent) else compare_second_trial(trial, "torch without it")
    return Finding(
        f"{place}{line} ends every Python at its start: {_find_end(crash, trial)}{proof}",
        evidence={"culprit": crash.culprit, "path": place, "stack": list(crash.stack)},
        step="startup" if crash.path else "pth",
    )


def _describe_package(crash: Crash, trial: TorchImportTrial | Absent) -> Finding:
    proof = "" if isinstance(trial, Absent) else compare_second_trial(trial, f"import {crash.culprit} alone")
    end = _find_end(crash, trial)
    return Finding(
        f"{crash.culprit} ended the process while torch imported it, at {crash.place}: {end}{proof}",
        evidence={
            "culprit": crash.culprit,
            "distribution": crash.distribution,
            "path": crash.path,
            "stack": list(crash.stack),
        },
        step="package" if crash.distribution else "file",
    )


def _find_end(crash: Crash, trial: TorchImportTrial | Absent) -> str:
    return crash.reason if isinstance(trial, Absent) else describe_end(trial)
