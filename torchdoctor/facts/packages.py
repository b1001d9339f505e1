"""Facts about installed packages, read from their files: torch's RECORD, companions, NumPy, conda."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class CondaPackage:
    """A package that conda installed, from the name of its record in conda-meta."""

    name: str
    version: str
    build: str


@record
class CondaEnvironment:
    """A prefix that conda manages, and the packages that it believes to be there."""

    subject: ClassVar[str] = "conda_environment"
    prefix: str
    packages: tuple[CondaPackage, ...]

    def find(self, name: str) -> CondaPackage | None:
        """Give the package of this name, or None."""
        return next((package for package in self.packages if package.name == name), None)


@record
class Companion:
    """A package that is compiled against torch: the full version and CUDA version of its build."""

    name: str
    version: str
    folder: str
    cuda: str | None = None


@record
class Companions:
    """The packages beside torch that must fit it."""

    subject: ClassVar[str] = "companions"
    installed: tuple[Companion, ...]


@record
class AlteredFile:
    """A file whose size is not the recorded one; `is_cut` where an image ends before its last section."""

    path: str
    recorded_bytes: int
    actual_bytes: int
    is_cut: bool = False


@record
class TorchRecord:
    """What the RECORD of the torch wheel says, against the files that are there (names and sizes only).

    `missing` and `altered` hold paths relative to `folder`, the folder that RECORD counts from; headers,
    import libraries and licences are not compared, because running torch needs none of them.
    `holds_package` tells whether the torch that gets imported is the recorded one. `leftovers` are
    folders that pip renamed (`~orch`) and did not delete; `records` counts the dist-info folders of torch.
    """

    subject: ClassVar[str] = "torch_record"
    folder: str
    version: str
    files: int
    holds_package: bool
    has_init: bool
    missing: tuple[str, ...]
    altered: tuple[AlteredFile, ...]
    longest_path: str
    leftovers: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    installer: str | None = None


@record
class NumpyBuild:
    """The NumPy that would be imported, from its files: `blas` is the library that it was built with."""

    subject: ClassVar[str] = "numpy_build"
    version: str
    folder: str
    blas: str | Absent
