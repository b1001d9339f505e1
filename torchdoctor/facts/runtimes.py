"""Facts about runtime DLLs in packages, and about DLLs that do not fit each other."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.dlls import DllClosure
from torchdoctor.facts.values import Absent


@record
class BundledRuntime:
    """A runtime DLL with its plain name in the environment, and the package that it came with."""

    name: str
    path: str
    owner: str | None
    version: str | Absent


@record
class BundledRuntimes:
    """All copies of the Visual C++ and OpenMP runtimes that came with packages of the environment.

    Renamed copies (msvcp140-<hash>.dll) are not included: to Windows, a DLL of another name is another DLL.
    """

    subject: ClassVar[str] = "bundled_runtimes"
    files: tuple[BundledRuntime, ...]

    def find_all(self, name: str) -> tuple[BundledRuntime, ...]:
        """Return every copy with a DLL name."""
        return tuple(file for file in self.files if file.name == name)


@record
class SymbolGap:
    """Names that an image imports from a DLL that does not export them.

    `count` is the number of such names; `symbols` are some of them.
    """

    importer: str
    supplier: str
    supplier_path: str
    count: int
    symbols: tuple[str, ...]


@record
class DllSymbols:
    """A comparison of what torch's images import with what the DLLs that they would get export.

    `pairs` counts the pairs of image and supplier that were compared, `symbols` the names. The suppliers
    in `skipped` were not compared.
    """

    subject: ClassVar[str] = "dll_symbols"
    pairs: int
    symbols: int
    gaps: tuple[SymbolGap, ...]
    skipped: tuple[str, ...] = ()


@record
class CompanionClosure:
    """The DLLs that the extension modules of one companion package need.

    Of torchcodec it is the set for the first FFmpeg with which nothing is missing, or else all sets.
    """

    package: str
    version: str
    closure: DllClosure


@record
class CompanionDlls:
    """The DLLs that the extension modules of companion packages need when torch's own DLLs are loaded."""

    subject: ClassVar[str] = "companion_dlls"
    packages: tuple[CompanionClosure, ...]
