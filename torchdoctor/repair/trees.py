"""Read what files and folders are there, and what each is known by."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record

# What a file is known by: its size and the time of its last change, or the target of a link.
State = tuple[int, int] | str

# Mode, user and group of a file or a folder.
Rights = tuple[int, int, int]

# In place of the target, which no link has.
JUNCTION = "\0junction"
_REPARSE_POINT = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0)
# More behind a link is no package.
_MOST_LINKED_FILES = 100_000


class TreeError(Exception):
    """What a link leads to cannot be kept; the message is one line."""


@record
class Tree:
    """The files of some folders by path, their folders, and the rights of all that are no links."""

    files: Mapping[str, State]
    folders: frozenset[str]
    rights: Mapping[str, Rights]


def read_tree(roots: Sequence[str]) -> Tree:
    """Read the files and folders below the roots, which may be files themselves, or not exist.

    Raises:
        OSError: a folder cannot be read.
    """
    files: dict[str, State] = {}
    folders: set[str] = set()
    rights: dict[str, Rights] = {}
    for root in roots:
        for path, state, own_rights in _walk(root):
            if state is not None:
                files[path] = state
            elif own_rights is not None:
                folders.add(path)
            if own_rights is not None:
                rights[path] = own_rights
    return Tree(files, frozenset(folders), rights)


def follow_links(roots: Sequence[str]) -> list[str]:
    """Return the real folders of the roots, and those to which links in them lead: pip writes through a link.

    Raises:
        TreeError: a link leads to a folder that holds one of the roots, or to very many files.
    """
    pending = list(dict.fromkeys(map(os.path.realpath, roots)))
    first = tuple(pending)
    found: list[str] = []
    while pending:
        root = pending.pop(0)
        if any(is_below(root, other) for other in found):
            continue
        if root not in first:
            _refuse_wide(root, first)
        found = [other for other in found if not is_below(other, root)]
        found.append(root)
        for path, state, _ in _walk(root):
            if isinstance(state, str) and os.path.isdir(path):
                pending.append(os.path.realpath(path))
    return found


def _refuse_wide(folder: str, roots: Sequence[str]) -> None:
    if any(is_below(root, folder) for root in roots):
        raise TreeError(f"a link leads to {folder}, which holds the packages themselves")
    for number, _ in enumerate(_walk(folder)):
        if number > _MOST_LINKED_FILES:
            raise TreeError(f"a link leads to {folder}, which has more than {_MOST_LINKED_FILES:,} files")


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder, or below it."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _walk(root: str) -> Iterator[tuple[str, State | None, Rights | None]]:
    """Yield each file below a folder with its state, and each folder without one; links have no rights."""
    state, rights = _read_entry(root)
    if state is not None:
        yield root, state, rights
        return
    pending = [(root, rights)]
    while pending:
        folder, rights = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        yield folder, None, rights
        for entry in entries:
            state, rights = _read_entry(entry.path)
            if state is not None:
                yield entry.path, state, rights
            elif entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, rights))


def read_state(path: str) -> State | None:
    """Return what a file is known by; None for a folder, and for what is not there."""
    return _read_entry(path)[0]


def read_rights(path: str) -> Rights | None:
    """Return mode, user and group of a file or a folder; None for a link, and for what is not there."""
    return _read_entry(path)[1]


def _read_entry(path: str) -> tuple[State | None, Rights | None]:
    try:
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            return os.readlink(path), None
    except (OSError, ValueError):
        return None, None
    if getattr(status, "st_file_attributes", 0) & _REPARSE_POINT and stat.S_ISDIR(status.st_mode):
        # A junction: what it leads to is not below this folder.
        return JUNCTION, None
    state = (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
    return state, (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
