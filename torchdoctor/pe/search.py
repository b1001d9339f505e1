"""The search order of the Windows loader: the folders where it looks for a DLL.

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
    """The reason why the loader searches a folder."""

    DLL = "dll"
    APPLICATION = "application"
    ADDED = "added"
    SYSTEM = "system"
    PATH = "path"


@record
class Folder:
    """A folder of the search order, or a DLL that was found in one, with the role of the folder."""

    path: Path
    role: Role


class Listings:
    """The files in each folder, which is listed once, when it is first searched."""

    def __init__(self) -> None:
        """Start with nothing listed."""
        self._files: dict[Path, dict[str, Path]] = {}

    def find(self, folder: Path, name: str) -> Path | None:
        """Find a file by its lower-case name; a folder that cannot be listed counts as empty."""
        if folder not in self._files:
            self._files[folder] = _list_files(folder)
        return self._files[folder].get(name)


@record
class SearchPath:
    """The folders in the order in which the loader searches them.

    With `dll_folder_first`, the folder of the DLL that the program loads (not of a nested importer) comes
    before them; `seen_from` returns the search path for such a DLL.
    """

    folders: tuple[Folder, ...]
    dll_folder_first: bool = False
    listings: Listings = field(default_factory=Listings, repr=False, compare=False)

    def find(self, name: str) -> Path | None:
        """Find a DLL by its base name in any case; return its path, or None."""
        found = self.locate(name)
        return found.path if found else None

    def locate(self, name: str) -> Folder | None:
        """Find a DLL by its base name in any case; return its path with the role of its folder."""
        normalised = normalise_dll_name(name)
        for folder in self.folders:
            path = self.listings.find(folder.path, normalised)
            if path is not None:
                return Folder(path, folder.role)
        return None

    def seen_from(self, dll_folder: Path) -> "SearchPath":
        """Return the search path for a DLL that is loaded from a folder; it shares the listings."""
        if not self.dll_folder_first:
            return self
        return replace(self, folders=(Folder(dll_folder, Role.DLL), *self.folders), dll_folder_first=False)


def flagged_search(
    *, application: Path | None = None, added: Iterable[Path] = (), system: Path | None = None
) -> SearchPath:
    """Return the search path for flags 0x1100: extension modules since Python 3.8, and files in torch\\lib.

    PATH and the current folder are not searched. Windows guarantees no order of the added folders; here it
    is the given one.
    """
    folders = [Folder(application, Role.APPLICATION)] if application else []
    folders += [Folder(folder, Role.ADDED) for folder in added]
    if system:
        folders.append(Folder(system, Role.SYSTEM))
    return SearchPath(tuple(folders), dll_folder_first=True)


def _list_files(folder: Path) -> dict[str, Path]:
    # The keys are base names, so an imported name that contains a path finds nothing outside the folder.
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if not entry.is_dir(follow_symlinks=False))
    except (OSError, ValueError):
        return {}
    return {name.lower(): folder / name for name in reversed(names)}
