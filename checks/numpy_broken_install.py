"""NumPy raises an exception or ends the process while torch imports it."""

import re
from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Skip, check
from torchdoctor.domain.crashes import compare_second_trial, describe_end
from torchdoctor.domain.tracebacks import find_origin
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import Absent, Crash, Distributions, ImportShadows, TorchImportTrial


@check
def numpy_broken_install(
    trial: TorchImportTrial, distributions: Distributions | Absent, shadows: ImportShadows | Absent
) -> Iterator[Finding | Passed]:
    """Look for NumPy where the import of torch ended: in the stack of a crash, or in the traceback."""
    if _is_shadowed(shadows):
        raise Skip("another file is imported in place of NumPy; see shadowed-or-partial-torch")
    found = _find_failure(trial)
    if found is None:
        if trial.outcome == "hung":
            raise Skip("the import of torch did not end, so nothing shows where")
        if trial.outcome == "died" and (trial.crash is None or trial.crash.culprit is None):
            raise Skip("the import of torch ended the process, and no stack shows where")
        yield Passed("NumPy is not what ends the import of torch")
        return
    message, path = found
    numpy = None if isinstance(distributions, Absent) else distributions.find("numpy")
    is_installed = _is_installed(path, distributions)
    yield Finding(
        message if is_installed else f"{message}; this NumPy is not the installed one",
        evidence={
            "path": path,
            "folder": re.split(r"(?<=[\\/]numpy)[\\/]", path)[0],
            **({"numpy_version": numpy.version} if numpy is not None and is_installed else {}),
        },
        step=("same" if numpy is not None else "again") if is_installed else "other",
    )


def _is_shadowed(shadows: ImportShadows | Absent) -> bool:
    if isinstance(shadows, Absent):
        return False
    return any(shadow.module == "numpy" and shadow.source != "current folder" for shadow in shadows.shadows)


def _find_failure(trial: TorchImportTrial) -> tuple[str, str] | None:
    """Return what NumPy did and the file in which it did it, None if it did nothing."""
    match trial.outcome, trial.crash:
        case "died", Crash(culprit="numpy", path=str(path)):
            proof = compare_second_trial(trial, "import numpy alone")
            return f"NumPy ended the process while torch imported it: {describe_end(trial)}{proof}", path
        case "raised", _:
            origin = find_origin(trial.traceback or "", "numpy")
            if origin is not None:
                return f"NumPy raises {trial.exception_type} while torch imports it", origin
    return None


def _is_installed(path: str, distributions: Distributions | Absent) -> bool:
    """Return whether the file is one of the installed NumPy; of a NumPy that is not recorded it is not."""
    numpy = None if isinstance(distributions, Absent) else distributions.find("numpy")
    return isinstance(distributions, Absent) or (numpy is not None and is_below(path, numpy.folder))
