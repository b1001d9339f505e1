"""Share the path of a file that the user has named: as given, unless it leads through folders of people."""

import os
import re
from collections.abc import Callable
from pathlib import PureWindowsPath

from torchdoctor.redaction.paths.cloud_folders import LIBRARY, OF_GOOGLE_DRIVE

RedactText = Callable[[str], str]

# In folders of people nothing stays as given: a path with a mask leads to no file.
_OF_PEOPLE = re.compile(
    r"(?:google|icloud|one|shared)[ _-]?drive|cloudstorage|(?:creative |next|own)cloud|dropbox|\bbox\b|egnyte"
    r"|sharepoint",
    re.IGNORECASE,
)
# The same where a path is relative; code has folders such as `dropbox_client`.
_OF_PEOPLE_BELOW = re.compile(
    r"(?:[.]{1,2}[\\/])*(?:(?:homes?|Users|media|mnt|Volumes)[\\/][^\\/]+[\\/]"
    r"|(?:Box(?: Sync)?|Dropbox|Egnyte|Google Drive|Nextcloud|OneDrive|iCloud ?Drive|ownCloud)[\\/]"
    rf"|(?:{OF_GOOGLE_DRIVE})[\\/]|[^\\/]+[\\/]{LIBRARY}[\\/])"
)
_CURRENT = "./"
_SEPARATORS = re.compile(r"[\\/]+")
_NO_NAMES = ("", ".", "..")


def is_below(path: str) -> bool:
    """Return whether a path is relative, and leads to a file below the current folder."""
    return _is_relative(path) and ".." not in _SEPARATORS.split(path)


def leads_through_people(path: str, folder: str, redact_places: RedactText) -> bool:
    """Return whether a path that was given leads through a folder of people.

    A relative path is judged from the current folder, "" if that is not known. `redact_places` replaces what
    its own place in a text gives away.
    """
    return _is_below_people(path, folder, redact_places) or _names_people(path, redact_places)


def share_given(path: str, folder: str, redact_places: RedactText, redact_text: RedactText) -> str:
    """Return a path as it was given, or by `redact_text` if it leads through a folder of people."""
    if _is_below_people(path, folder, redact_places):
        return end_like(redact_text(_make_absolute(folder, path)), path)
    if _names_people(path, redact_places):
        start = _find_start(path)
        return redact_text(f"{start}{redact_places(path)}").removeprefix(start)
    return path


def _is_below_people(path: str, folder: str, redact_places: RedactText) -> bool:
    """Return whether a relative path has names of people, seen from the current folder."""
    if not folder or not _is_relative(path):
        return False
    return not ends_alike(redact_places(_make_absolute(folder, path)), path)


def _names_people(path: str, redact_places: RedactText) -> bool:
    """Return whether a path itself names a folder of people."""
    start = _find_start(path)
    of_people = _OF_PEOPLE_BELOW.match if _is_relative(path) else _OF_PEOPLE.search
    marked = f"{start}{redact_places(path)}"
    return of_people(path) is not None or redact_places(marked) != f"{start}{path}"


def _make_absolute(folder: str, path: str) -> str:
    return os.path.normpath(os.path.join(folder, path))


def _find_start(path: str) -> str:
    return _CURRENT if _is_relative(path) and path[:1] != "." else ""


def _is_relative(path: str) -> bool:
    return PureWindowsPath(path).anchor == "" and path[:1] not in "~%$"


def ends_alike(absolute: str, relative: str) -> bool:
    """Return whether an absolute path, with masks in it, still ends with the names of a relative one."""
    names = _list_names(relative)
    return not names or _list_names(absolute)[-len(names) :] == names


def end_like(absolute: str, relative: str) -> str:
    """Return a relative path with the names at the end of an absolute one, which has masks in it."""
    names = _list_names(relative)
    shown = _list_names(absolute)[-len(names) :]
    separator = "\\" if "\\" in relative else "/"
    ups = [part for part in _SEPARATORS.split(relative) if part == ".."]
    return separator.join((*ups, *shown))


def _list_names(path: str) -> list[str]:
    return [part for part in _SEPARATORS.split(path) if part not in _NO_NAMES]
