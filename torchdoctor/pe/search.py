"""The Windows loader's search order as data: the folders asked for a DLL, in order.

Rules: learn.microsoft.com/windows/win32/dlls/dynamic-link-library-search-order.
"""

import os
from collections.abc import Iterable
from dataclasses import field, replace
from enum import Enum
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.pe.system import normalise_dll_name


class Role(str, Enum):
    """Why the loader looks into a folder."""

    DLL = "dll"
    APPLICATION = "application"
    ADDED = "added"
    SYSTEM = "system"
    PATH = "path"


@record
class Folder:
    """A folder of the search order."""

    path: Path
    role: Role


class Listings:
    """What stands in each folder, listed once at the first question."""

    def __init__(self) -> None:
        """Start with nothing listed."""
        self._files: dict[Path, dict[str, Path]] = {}

    def find(self, folder: Path, name: str) -> Path | None:
        """Find a file by its lower-case name; a folder that cannot be listed is empty."""
        if folder not in self._files:
            self._files[folder] = _list_files(folder)
        return self._files[folder].get(name)


@record
class SearchPath:
    """Folders in the order in which the loader asks them.

    With `dll_folder_first` the folder of the DLL that was asked for (not of a nested importer) precedes them:
    `seen_from` gives the search path of one such DLL.
    """

    folders: tuple[Folder, ...]
    dll_folder_first: bool = False
    listings: Listings = field(default_factory=Listings, repr=False, compare=False)

    def find(self, name: str) -> Path | None:
        """Find a DLL by its base name in any case; None where no folder has it."""
        found = self.locate(name)
        return found.path if found else None

    def locate(self, name: str) -> Folder | None:
        """Find a DLL together with the role of the folder that has it."""
        wanted = normalise_dll_name(name)
        for folder in self.folders:
            path = self.listings.find(folder.path, wanted)
            if path is not None:
                return Folder(path, folder.role)
        return None

    def seen_from(self, dll_folder: Path) -> "SearchPath":
        """Give the search path that holds for a DLL loaded from this folder, sharing the listings."""
        if not self.dll_folder_first:
            return self
        return replace(self, folders=(Folder(dll_folder, Role.DLL), *self.folders), dll_folder_first=False)


def flagged_search(
    *, application: Path | None = None, added: Iterable[Path] = (), system: Path | None = None
) -> SearchPath:
    """Give the order for flags 0x1100: extension modules since Python 3.8, and the files in torch\\lib.

    PATH and the current folder are not asked. Windows promises no order among the added folders;
    here it is the given one.
    """
    folders = [Folder(application, Role.APPLICATION)] if application else []
    folders += [Folder(folder, Role.ADDED) for folder in added]
    if system:
        folders.append(Folder(system, Role.SYSTEM))
    return SearchPath(tuple(folders), dll_folder_first=True)


def _list_files(folder: Path) -> dict[str, Path]:
    # Base names only, so an imported name with a path in it finds nothing outside the folder.
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if not entry.is_dir(follow_symlinks=False))
    except (OSError, ValueError):
        return {}
    return {name.lower(): folder / name for name in reversed(names)}
