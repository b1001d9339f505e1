"""Facts about runtime DLLs that packages bring along, and about how DLLs fit each other."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.dlls import DllClosure
from torchdoctor.facts.values import Absent


@record
class BundledRuntime:
    """A runtime DLL under its plain name in the environment, and the package it came with."""

    name: str
    path: str
    owner: str | None
    version: str | Absent


@record
class BundledRuntimes:
    """All copies of the Visual C++ and OpenMP runtimes that packages of the environment brought.

    Renamed copies (msvcp140-<hash>.dll) are not among them: Windows tells DLLs apart by their name.
    """

    subject: ClassVar[str] = "bundled_runtimes"
    files: tuple[BundledRuntime, ...]

    def find_all(self, name: str) -> tuple[BundledRuntime, ...]:
        """Give every copy of a DLL name."""
        return tuple(file for file in self.files if file.name == name)


@record
class SymbolGap:
    """Names that an image imports from a DLL that does not export them; at most some are kept."""

    importer: str
    supplier: str
    supplier_path: str
    count: int
    symbols: tuple[str, ...]


@record
class DllSymbols:
    """Whether the DLLs that torch's images would get export what these import.

    `pairs` counts the pairs of image and supplier that were compared, `symbols` the names; suppliers
    in `skipped` were not compared.
    """

    subject: ClassVar[str] = "dll_symbols"
    pairs: int
    symbols: int
    gaps: tuple[SymbolGap, ...]
    skipped: tuple[str, ...] = ()


@record
class CompanionClosure:
    """What the extension modules of one package beside torch need."""

    package: str
    version: str
    closure: DllClosure


@record
class CompanionDlls:
    """What the extension modules of the packages beside torch need, with torch's own DLLs loaded."""

    subject: ClassVar[str] = "companion_dlls"
    packages: tuple[CompanionClosure, ...]
