"""Packages beside torch bring an OpenMP runtime of their own, and two of them in one process end it."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.windows_paths import is_below, normalise
from torchdoctor.facts import Absent, BundledRuntime, BundledRuntimes, NumpyBuild, TorchInstall

RUNTIME = "libiomp5md.dll"
# Packages that load the copy beside them when they are imported.
LOADERS = frozenset({"ctranslate2", "paddlepaddle", "paddlepaddle-gpu"})
# Where conda and the wheels of Intel put it; MKL asks for it by its plain name.
LIBRARY = "\\library\\bin\\"


@check
def omp_duplicate_runtime(
    runtimes: BundledRuntimes, torch: TorchInstall, numpy: NumpyBuild | Absent
) -> Iterator[Finding | Passed]:
    """torch loads its copy by the full path, so a copy that was loaded before it stays beside it."""
    copies = runtimes.find_all(RUNTIME)
    own = [copy for copy in copies if is_below(copy.path, torch.package_folder)]
    # Another torch, hidden by this one, is not imported with it.
    others = [copy for copy in copies if copy not in own and not (copy.owner or "").startswith("torch ")]
    if not own:
        yield Passed(f"torch's package brings no {RUNTIME} of its own")
        return
    if not others:
        yield Passed(f"no package beside torch brings {RUNTIME}")
    for copy in others:
        loader = _find_loader(copy, numpy)
        message = f"{copy.owner or 'something'} brings {RUNTIME} {_describe(copy)} beside torch's own"
        yield Finding(
            f"{message}; {loader} loads it if imported before torch" if loader else message,
            evidence={"path": copy.path, "owner": copy.owner, "own": [each.path for each in own]},
            severity=Severity.WARNING if loader else Severity.NOTE,
            step="first",
        )


def _find_loader(copy: BundledRuntime, numpy: NumpyBuild | Absent) -> str | None:
    package = (copy.owner or "").split(" ")[0].lower().replace("_", "-")
    if package in LOADERS:
        return package
    uses_mkl = isinstance(numpy, NumpyBuild) and isinstance(numpy.blas, str) and "mkl" in numpy.blas
    return "NumPy (built with MKL)" if uses_mkl and LIBRARY in normalise(copy.path) else None


def _describe(copy: BundledRuntime) -> str:
    version = "of unknown version" if isinstance(copy.version, Absent) else copy.version
    return f"{version} ({copy.path})"
