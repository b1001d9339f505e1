"""Facts about Windows DLLs: what torch's DLLs need, and the VC runtime that the loader would load."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class SearchFolder:
    """A folder on the loader's search path; `role` is dll, application, added, system or path."""

    path: str
    role: str


@record
class DllImage:
    """A PE image that was read.

    `writable_bytes` are the image's private writable pages, which every process that maps it
    commits. `runtime_symbols` are the names that it imports from msvcp140.dll.
    """

    path: str
    name: str
    machine: str
    linker_version: tuple[int, int]
    writable_bytes: int
    runtime_symbols: tuple[str, ...] = ()


@record
class MissingDll:
    """A DLL that an image needs and the search path does not have.

    `chain` leads from an image of the examined folder to the missing name. `delayed` means that it
    is needed only at first use. `supplier_key` and `supplier` are the product that contains the DLL.
    """

    name: str
    chain: tuple[str, ...]
    delayed: bool = False
    supplier_key: str | None = None
    supplier: str | None = None


@record
class DamagedDll:
    """A file that the loader would load but that is not a readable PE image, and the reason."""

    path: str
    reason: str


@record
class ForeignDll:
    """An image that the loader would load but that is for another machine than the expected one."""

    path: str
    machine: str
    expected_machine: str
    chain: tuple[str, ...]


@record
class DllClosure:
    """Everything that the DLLs of one folder need, found along the loader's search path.

    `edges` counts the pairs of an image in the folder and a DLL that it imports. `system_listed` is whether
    System32, or folders in its place, were searched; without them, a DLL from outside the folder cannot be
    called missing. `assumed` are names that count as present: API sets, the interpreter's own DLL, and, if
    no System32 could be listed, the DLLs of every Windows.
    """

    subject: ClassVar[str] = "dll_closure"
    folder: str
    search: tuple[SearchFolder, ...]
    system_listed: bool
    edges: int
    images: tuple[DllImage, ...]
    missing: tuple[MissingDll, ...]
    damaged: tuple[DamagedDll, ...] = ()
    foreign: tuple[ForeignDll, ...] = ()
    assumed: tuple[str, ...] = ()


@record
class VcRegistration:
    """The entry of an installed VC++ redistributable in one view of the registry."""

    machine: str
    view: str
    version: str
    installed: bool


@record
class RuntimeFile:
    """A file of the VC runtime; `version` comes from its version resource ("14.44.35211.0")."""

    name: str
    path: str
    version: str | Absent
    machine: str | Absent


@record
class VcRuntime:
    """The Visual C++ runtime: what is registered, and the file that the loader takes for each DLL name.

    `files` has one file for each name: the first on the search path that torch's DLLs are loaded with.
    A name without a file was found in no folder.
    """

    subject: ClassVar[str] = "vc_runtime"
    registrations: tuple[VcRegistration, ...] | Absent
    files: tuple[RuntimeFile, ...]

    def find(self, name: str) -> RuntimeFile | None:
        """Return the file that the loader would take for a DLL name, or None."""
        for file in self.files:
            if file.name.lower() == name.lower():
                return file
        return None
