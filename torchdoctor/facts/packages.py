"""Facts about installed packages, read from their files: torch's RECORD, companions, NumPy, conda."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.partial import Unobserved
from torchdoctor.facts.values import Absent


@record
class CondaPackage:
    """A package that conda installed, from the name of its record in conda-meta."""

    name: str
    version: str
    build: str


@record
class CondaEnvironment:
    """A prefix that conda manages, and the packages that conda has recorded there.

    A text may state only some of them: then `is_complete` is false, and `complete_names` are those that
    it would have listed.
    """

    subject: ClassVar[str] = "conda_environment"
    prefix: str
    packages: tuple[CondaPackage, ...]
    is_complete: bool = True
    complete_names: tuple[str, ...] = ()

    def find(self, name: str) -> CondaPackage | None:
        """Return the package of this name, or None.

        Raises:
            Unobserved: there is none in a list that is not complete.
        """
        found = next((package for package in self.packages if package.name == name), None)
        if found is None and not self.is_complete and name not in self.complete_names:
            raise Unobserved(f"not stated: whether conda installed {name}")
        return found


@record
class Companion:
    """A package that must fit torch, with the full version and the CUDA version of its build.

    `required_torch` is the range of torch in its metadata ("==2.10.0"), None if there is none. `is_compiled`
    is false if its wheel has only Python files.
    """

    name: str
    version: str
    folder: str
    cuda: str | None = None
    required_torch: str | None = None
    is_compiled: bool = True


@record
class Companions:
    """The installed packages that must fit torch: known ones, and all whose metadata has a range of torch."""

    subject: ClassVar[str] = "companions"
    installed: tuple[Companion, ...]


@record
class AlteredFile:
    """A file whose size is not the recorded one; `is_cut` if it is an image that ends too early."""

    path: str
    recorded_bytes: int
    actual_bytes: int
    is_cut: bool = False


@record
class TorchRecord:
    """The differences between the RECORD of the torch wheel and the files on disk, by names and sizes only.

    `missing` and `altered` have paths relative to `folder`, like RECORD. Headers, import libraries and
    licences are not compared, because running torch needs none of them. `holds_package` is whether the
    torch that gets imported is the recorded one. `leftovers` are folders that pip renamed (`~orch`) and did
    not delete. `versions` are the versions of all dist-info folders of torch.
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
    """The NumPy that would be imported, read from its files; `blas` is the library that it was built with."""

    subject: ClassVar[str] = "numpy_build"
    version: str
    folder: str
    blas: str | Absent
