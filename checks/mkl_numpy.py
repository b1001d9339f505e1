"""NumPy was built with MKL, which torch does not need."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check, known
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Absent, CondaEnvironment, NumpyBuild, TorchInstall

# The only releases of torch whose DLLs import MKL; they load it from the package mkl, not from NumPy.
RELEASES_WITH_MKL = ((2, 3, 0), (2, 3, 1))


@check
def mkl_numpy(
    numpy: NumpyBuild, torch: TorchInstall, conda: CondaEnvironment | Absent
) -> Iterator[Finding | Passed]:
    """Accept a NumPy with MKL from conda; elsewhere it is there because of outdated advice."""
    blas = known(numpy.blas)
    if "mkl" not in blas.lower():
        yield Passed(f"NumPy {numpy.version} uses {blas}; torch does not use NumPy's BLAS")
    elif isinstance(conda, CondaEnvironment) and conda.find("numpy"):
        yield Passed(f"NumPy {numpy.version} uses {blas}, as conda builds it")
    else:
        version = torch.version if isinstance(torch.version, str) else "of unknown version"
        mkl_source = "takes MKL from the package mkl" if _uses_mkl(version) else "has its own MKL inside"
        yield Finding(
            f"NumPy {numpy.version} in {numpy.folder} is built with {blas}; torch {version} {mkl_source}",
            evidence={"path": numpy.folder, "blas": blas},
        )


def _uses_mkl(version: str) -> bool:
    try:
        return parse_release(version) in RELEASES_WITH_MKL
    except VersionError:
        return False
