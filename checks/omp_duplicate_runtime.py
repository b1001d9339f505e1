"""Another package has its own OpenMP runtime, and a process that loads two of them ends."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.windows_paths import is_below, normalise
from torchdoctor.facts import (
    Absent,
    BundledRuntime,
    BundledRuntimes,
    NumpyBuild,
    TorchImportTrial,
    TorchInstall,
)
from torchdoctor.facts.partial import find_value

RUNTIME_DLL = "libiomp5md.dll"
# Packages that load their own copy when they are imported, and the names to import them by.
LOADING_PACKAGES = {"ctranslate2": "ctranslate2", "paddlepaddle": "paddle", "paddlepaddle-gpu": "paddle"}
# Loads its copy by its full path, so that the order of imports does not help.
LOADING_BY_PATH = "ctranslate2"
NUMPY_WITH_MKL = "NumPy (built with MKL)"
# The folder into which conda and Intel's wheels install the DLL; MKL loads it by its file name.
LIBRARY_FOLDER = "\\library\\bin\\"
# What the runtime prints before it ends the process (https://github.com/meta-pytorch/csprng/issues/115).
LAST_WORDS = "OMP: Error #15"
# So many copies are evidence; a damaged record of facts can have thousands.
_MOST_NAMED = 20


@check
def omp_duplicate_runtime(
    runtimes: BundledRuntimes,
    torch: TorchInstall,
    numpy: NumpyBuild | Absent,
    trial: TorchImportTrial | Absent,
) -> Iterator[Finding | Passed]:
    """Report other copies: torch loads its own by full path, even after another copy has been loaded."""
    copies = runtimes.find_all(RUNTIME_DLL)
    if _has_died_of_it(trial):
        yield _describe_end(copies)
        return
    own_copies = [copy for copy in copies if is_below(copy.path, torch.package_folder)]
    # A second torch, hidden by this one, is never imported.
    other_copies = [
        copy for copy in copies if copy not in own_copies and not (copy.owner or "").startswith("torch ")
    ]
    if not own_copies:
        yield Passed(f"torch's package brings no {RUNTIME_DLL} of its own")
        return
    if not other_copies:
        yield Passed(f"no package beside torch brings {RUNTIME_DLL}")
    for copy in other_copies:
        loader = _find_loader(copy, numpy)
        message = (
            f"{copy.owner or 'something'} brings {RUNTIME_DLL} {_describe_copy(copy)} beside torch's own"
        )
        if loader is None:
            yield Passed(f"{message}; nothing that is known here loads it")
            continue
        is_by_path = loader == LOADING_BY_PATH
        loading = "by its full path" if is_by_path else "if imported before torch"
        yield Finding(
            f"{message}; {loader} loads it {loading}, and the program can end with OMP: Error #15",
            evidence={
                "path": copy.path,
                "owner": copy.owner,
                "own": [own_copy.path for own_copy in own_copies[:_MOST_NAMED]],
                "loader": loader,
                "module": LOADING_PACKAGES.get(loader, "numpy"),
            },
            severity=Severity.WARNING,
            step="ct2" if is_by_path else "before",
        )


def _has_died_of_it(trial: TorchImportTrial | Absent) -> bool:
    if isinstance(trial, Absent) or find_value(trial, "outcome") != "died":
        return False
    return LAST_WORDS in trial.stderr_tail


def _describe_end(copies: tuple[BundledRuntime, ...]) -> Finding:
    paths = [copy.path for copy in copies[:_MOST_NAMED]]
    places = f"; copies of {RUNTIME_DLL}: {', '.join(paths)}" if paths else ""
    return Finding(
        f"import torch ends the process with {LAST_WORDS}: two OpenMP runtimes are loaded{places}",
        evidence={"copies": paths},
        step="list-rename" if len(paths) > 1 else "outside",
    )


def _find_loader(copy: BundledRuntime, numpy: NumpyBuild | Absent) -> str | None:
    """Return the name of the package that loads the copy when it is imported, if one is known."""
    package = (copy.owner or "").split(" ")[0].lower().replace("_", "-")
    if package in LOADING_PACKAGES:
        return package
    uses_mkl = isinstance(numpy, NumpyBuild) and isinstance(numpy.blas, str) and "mkl" in numpy.blas
    return NUMPY_WITH_MKL if uses_mkl and LIBRARY_FOLDER in normalise(copy.path) else None


def _describe_copy(copy: BundledRuntime) -> str:
    version = "of unknown version" if isinstance(copy.version, Absent) else copy.version
    return f"{version} ({copy.path})"
