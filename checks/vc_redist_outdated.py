"""torch would load an msvcp140.dll that is too old for its DLLs, and crash."""

import re
from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.mutexes import FIRST_TOLERANT_RUNTIME, SAFE_RUNTIME, find_affected
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    DllClosure,
    Interpreter,
    PythonInstallations,
    RuntimeFile,
    VcRuntime,
)
from torchdoctor.facts.partial import find_value

# The folders that installers of conda make: those of Anaconda and conda-forge.
CONDA_FOLDER = re.compile(r"(?:ana|mini)conda|miniforge|mambaforge", re.IGNORECASE)
MOST_NAMES = 3


@check
def vc_redist_outdated(
    closure: DllClosure,
    runtime: VcRuntime,
    interpreter: Interpreter | Absent,
    conda: CondaEnvironment | Absent,
    pythons: PythonInstallations | Absent,
) -> Iterator[Finding | Passed]:
    """Decide by the imported symbols: the linker version alone would also report builds that are safe."""
    file = runtime.find("msvcp140.dll")
    if file is None:
        raise Skip("no msvcp140.dll was found")
    version = known(file.version)
    affected = find_affected(closure.images)
    try:
        release = parse_release(version)
    except VersionError as error:
        raise Skip(f"the version {version!r} of {file.path} cannot be read") from error
    if not affected:
        yield Passed(f"msvcp140.dll {version} is new enough: no DLL of torch needs 14.40")
    elif release >= SAFE_RUNTIME:
        yield Passed(f"msvcp140.dll {version} is new enough for MSVC 14.40 and later")
    else:
        is_tolerated = release >= FIRST_TOLERANT_RUNTIME
        names = [image.name for image in affected]
        more = f" and {len(names) - MOST_NAMES} more of torch" if len(names) > MOST_NAMES else ""
        ending = "may crash" if is_tolerated else "crash" if len(names) > 1 else "crashes"
        prefix = _find_conda_prefix(file, interpreter, conda, pythons)
        yield Finding(
            f"msvcp140.dll {version} in {file.path} is older than 14.40, and"
            f" {', '.join(names[:MOST_NAMES])}{more} {ending} with it",
            evidence={
                "copy": file.path,
                "version": version,
                "images": names,
                **({"conda_prefix": prefix} if prefix else {}),
            },
            severity=Severity.WARNING if is_tolerated else None,
            step=_choose_step(file, prefix, interpreter),
        )


def _choose_step(file: RuntimeFile, prefix: str | None, interpreter: Interpreter | Absent) -> str:
    if prefix is not None:
        return "conda-copy"
    if "system32" in file.path.lower():
        return "redist"
    return "beside" if _is_beside_python(file, interpreter) else "copy"


def _is_beside_python(file: RuntimeFile, interpreter: Interpreter | Absent) -> bool:
    """Return whether a file lies in the folder of the python.exe that Windows starts in the end."""
    folder = interpreter if isinstance(interpreter, Absent) else find_value(interpreter, "application_folder")
    return not isinstance(folder, Absent) and normalise(_find_folder(file)) == normalise(folder)


def _find_conda_prefix(
    file: RuntimeFile,
    interpreter: Interpreter | Absent,
    conda: CondaEnvironment | Absent,
    pythons: PythonInstallations | Absent,
) -> str | None:
    """Return the prefix of conda that a file lies in, beside its python.exe or in `Library\\bin`, or None.

    The environment may be one that venv made of conda's Python.
    """
    folder = _find_folder(file)
    if not isinstance(conda, Absent):
        for place in (conda.prefix, f"{conda.prefix}\\Library\\bin"):
            if normalise(folder) == normalise(place):
                return conda.prefix
    if not _is_beside_python(file, interpreter):
        return None
    found = () if isinstance(pythons, Absent) else pythons.interpreters
    of_conda = [_cut_name(each.executable) for each in found if each.source == "conda"]
    is_conda = CONDA_FOLDER.search(folder) or normalise(folder) in map(normalise, of_conda)
    return folder if is_conda else None


def _find_folder(file: RuntimeFile) -> str:
    return _cut_name(file.path)


def _cut_name(path: str) -> str:
    return path.replace("/", "\\").rpartition("\\")[0]
