"""NumPy 2 is installed, but torch was built for NumPy 1."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Skip, check, known
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Absent, CondaEnvironment, Distributions, OperatingSystem, TorchInstall
from torchdoctor.facts.partial import find_value

# Found in the Windows wheels: torch_python.dll of 2.4.0 supports only the C API of NumPy 1; that of 2.4.1
# looks for numpy._core (https://github.com/pytorch/pytorch/issues/131668). On Linux the first is 2.3.0.
FIRST_FOR_NUMPY_2 = (2, 4, 1)
FIRST_FOR_NUMPY_2_ON_LINUX = (2, 3)


@check
def numpy_abi_mismatch(
    system: OperatingSystem | Absent,
    torch: TorchInstall,
    distributions: Distributions,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Compare the versions of pip's wheels only; conda builds torch for the NumPy that it installs."""
    # A text may name no system; then only what holds for Linux as well is said.
    first = FIRST_FOR_NUMPY_2_ON_LINUX if isinstance(system, Absent) else FIRST_FOR_NUMPY_2
    if not isinstance(system, Absent) and system.system != "windows":
        raise Skip("this check knows the Windows wheels only")
    version, numpy = known(torch.version), distributions.find("numpy")
    if numpy is None:
        raise Skip("NumPy is not installed; torch works without it")
    if isinstance(conda, CondaEnvironment) and (conda.find("pytorch") or conda.find("libtorch")):
        raise Skip("torch is conda's, which chose its NumPy")
    try:
        release = parse_release(version)
        is_new_numpy = parse_release(numpy.version) >= (2,)
    except VersionError as error:
        raise Skip(str(error)) from error
    is_old_torch = release < first
    if isinstance(system, Absent) and not is_old_torch and release < FIRST_FOR_NUMPY_2:
        raise Skip("whether this torch works with NumPy 2 depends on the system, which is not stated")
    folder = find_value(numpy, "folder")
    if is_old_torch and is_new_numpy:
        yield Finding(
            f"torch {version} is built for NumPy 1, and NumPy {numpy.version} is installed",
            evidence={
                "misfit": "torch was built for another NumPy than the one that is installed: .numpy() fails",
                "torch_version": version,
                "numpy": numpy.version,
                **({} if isinstance(folder, Absent) else {"path": folder}),
            },
        )
    else:
        yield Passed(f"torch {version} works with NumPy {numpy.version}")
