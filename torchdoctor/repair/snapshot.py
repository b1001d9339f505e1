"""Keep the files of folders as they are now, and bring them back.

A kept file is a second name (hard link) of the same file where the disk allows it, which costs no space: pip
removes and makes files, and never writes into one that is there. What something else wrote into is lost, and
is named. Nothing is brought back unless everything else can be: it is looked at first. A file that comes back
replaces the other one in one act, so that it can be cut off at any moment and done again. What is in the way
and is not known is not deleted; it is moved into the folder of the snapshot.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from torchdoctor.core.record import record
from torchdoctor.repair.manifest import (
    Changes,
    Manifest,
    ManifestError,
    read_changes,
    read_manifest,
    write_changes,
    write_manifest,
)
from torchdoctor.repair.pulse import find_end, is_later
from torchdoctor.repair.rights import open_folders, return_rights
from torchdoctor.repair.trees import JUNCTION, Rights, State, TreeError, follow_links, read_state, read_tree

T = TypeVar("T")

_MANIFEST, _FILES, _REPLACED, _CHANGES = "manifest.jsonl", "files", "replaced", "changes.json"
# A folder with very many files is slow on some disks.
_FILES_PER_FOLDER = 1000
# Beside the file that it becomes.
_ARRIVING = ".torchdoctor-new"

# Returns what is at a path, or what will be there.
Look = Callable[[str], State | None]

# Takes a file out of the way, and returns whether it did; the reason why not is added to a list.
Clear = Callable[[str, list[str]], bool]


class SnapshotError(Exception):
    """A snapshot cannot be made or brought back; the message is one line."""


@record
class Restored:
    """How many files came back, how many were taken away, and what could not be brought back.

    `lost` are the files that were written into in place, of which nothing is kept. `moved_to` is the folder
    of those that were taken away and may be somebody's work; "" if there are none.
    """

    returned: int
    removed: int
    problems: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    moved_to: str = ""


@record
class _Goal:
    """What bringing back has to do: files and folders to take away and to bring back."""

    new_files: frozenset[str]
    new_folders: frozenset[str]
    returning: Mapping[str, tuple[int, State]]
    folders: frozenset[str]


class Snapshot:
    """A snapshot in a folder of its own, in which `pulse` gives its signs of life.

    It is complete as soon as its manifest is there. `note_changes` narrows it to what a step changed, so that
    files that come and go later do not matter.
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder, which need not exist yet."""
        self._folder = folder
        self._moved = 0
        # A name that no earlier try has used.
        self._replaced = folder / _REPLACED / os.urandom(4).hex()

    def take(self, roots: Sequence[str], *, follows_links: bool = False) -> None:
        """Keep all files below the roots, which may be files themselves, or not exist.

        With `follows_links`, the folders to which links lead are kept as well.

        Raises:
            SnapshotError: a file cannot be read, or the disk is full.
        """
        try:
            roots = follow_links(roots) if follows_links else roots
            self._folder.mkdir(parents=True, exist_ok=True)
            tree = read_tree(roots)
            kept = (path for path, state in tree.files.items() if not isinstance(state, str))
            for number, path in enumerate(kept):
                self._keep(path, number)
            write_manifest(self._folder / _MANIFEST, roots, tree)
        except TreeError as error:
            raise SnapshotError(str(error)) from error
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise SnapshotError(f"{place}cannot be kept: {error.strerror or error}") from error

    def _keep(self, path: str, number: int) -> None:
        kept = self._locate(number)
        if number % _FILES_PER_FOLDER == 0:
            kept.parent.mkdir(parents=True)
        _link_or_copy(path, str(kept))

    def _locate(self, number: int) -> Path:
        return self._folder / _FILES / str(number // _FILES_PER_FOLDER) / str(number)

    @property
    def is_complete(self) -> bool:
        """Whether there is something to bring back."""
        return os.path.lexists(self._folder / _MANIFEST)

    @property
    def has_changes(self) -> bool:
        """Whether it is narrowed to what the step changed."""
        return os.path.lexists(self._folder / _CHANGES)

    def note_changes(self) -> tuple[str, ...]:
        """Keep only what differs from the snapshot now, and what it is now; return the files that are lost.

        Raises:
            SnapshotError: the files cannot be read.
        """
        manifest = self._read(read_manifest, _MANIFEST)
        try:
            now = read_tree(manifest.roots)
            changed = {path for path, (_, state) in manifest.files.items() if now.files.get(path) != state}
            added = {path: state for path, state in now.files.items() if path not in manifest.files}
            common = manifest.rights.keys() & now.rights.keys()
            changes = Changes(
                after={path: now.files.get(path) for path in sorted(changed)} | added,
                new_folders=tuple(sorted(now.folders - manifest.folders)),
                gone_folders=tuple(sorted(manifest.folders - now.folders)),
                rights=tuple(sorted(path for path in common if now.rights[path] != manifest.rights[path])),
                lost=tuple(path for path in sorted(changed) if not self._is_kept(*manifest.files[path])),
            )
            write_changes(self._folder / _CHANGES, changes)
            for path, (number, state) in manifest.files.items():
                if path not in changed and not isinstance(state, str):
                    self._locate(number).unlink(missing_ok=True)
        except OSError as error:
            raise SnapshotError(f"{error.filename}: {error.strerror or error}") from error
        return changes.lost

    def _is_kept(self, number: int, state: State) -> bool:
        return isinstance(state, str) or read_state(str(self._locate(number))) == state

    def foresee(self, look: Look = read_state) -> Look:
        """Return a function that says what will be at a path when this is brought back.

        Raises:
            SnapshotError: what was kept cannot be read.
        """
        changes = self._read(read_changes, _CHANGES)
        manifest = self._read(read_manifest, _MANIFEST)
        returning = _list_returning(manifest, changes)
        end = find_end(self._folder)

        def look_before(path: str) -> State | None:
            if path in returning:
                return returning[path][1]
            if changes is not None:
                return None if path in changes.after else look(path)
            is_below = any(path == root or path.startswith(root + os.sep) for root in manifest.roots)
            return None if is_below and not is_later(path, end) else look(path)

        return look_before

    def list_changed_since(self, look: Look = read_state) -> list[str]:
        """Return the files that are neither as the step left them nor as they were before it.

        Of a step that was cut off, it is not known how it left them; those that changed after its last sign
        of life count. With `look`, the files are as they will be when the steps after it are taken back.

        Raises:
            SnapshotError: the files cannot be read.
        """
        changes = self._read(read_changes, _CHANGES)
        kept = self._read(read_manifest, _MANIFEST).files
        if changes is None and look is not read_state:
            return []  # A step after it has kept the files, which changed their times.
        if changes is None:
            end = find_end(self._folder)
            return [
                path
                for path, (_, state) in kept.items()
                if read_state(path) not in (state, None) and is_later(path, end)
            ]
        before = {path: kept[path][1] if path in kept else None for path in changes.after}
        return [
            path
            for path, state in changes.after.items()
            if look(path) not in (state, before[path])
            or ((blocking := _find_blocking_file(path)) is not None and look(blocking) is not None)
        ]

    def restore(self) -> Restored:
        """Bring all files back, and the rights of all; what is in their place is moved away.

        New files that came after the last sign of life of a step that was cut off stay.

        Raises:
            SnapshotError: as for `verify`: nothing was done.
        """
        lost = self.verify()
        changes = self._read(read_changes, _CHANGES)
        manifest = self._read(read_manifest, _MANIFEST)
        rights = _list_rights(manifest, changes)
        open_folders({path: rights[path] for path in manifest.folders if path in rights})
        goal = self._set_goal(manifest, changes)
        problems: list[str] = []
        # What the step itself left is known, and can be made again; anything else may be somebody's work.
        clear = _remove if changes is not None else self._move_away
        removed = sum(clear(path, problems) for path in sorted(goal.new_files))
        for path in sorted(goal.new_folders, key=len, reverse=True):
            _remove_empty(path)
        for path in sorted(goal.folders, key=len):
            _make_folder(path, problems)
        returned = {
            path
            for path, each in goal.returning.items()
            if path not in lost and self._bring_back(path, *each, clear, problems)
        }
        returned |= return_rights(rights, problems)
        moved_to = str(self._replaced) if any(self._replaced.glob("*/*")) else ""
        return Restored(len(returned - goal.folders), removed, tuple(problems), tuple(sorted(lost)), moved_to)

    def verify(self, look: Look = read_state) -> frozenset[str]:
        """Refuse to begin what cannot be finished; return the files that were written into in place.

        With `look`, the files are as they will be when the steps after it are taken back.

        Raises:
            SnapshotError: the snapshot cannot be read, or what was kept of a file is not there.
        """
        changes = self._read(read_changes, _CHANGES)
        manifest = self._read(read_manifest, _MANIFEST)
        lost = set() if changes is None else set(changes.lost)
        for path, (number, state) in _list_returning(manifest, changes).items():
            if path in lost or look(path) == state or (isinstance(state, str) and state != JUNCTION):
                continue
            if state == JUNCTION:
                raise SnapshotError(f"{path}: it led elsewhere, which is not kept: nothing was undone")
            if self._is_kept(number, state):
                continue
            if not _is_same_file(path, self._locate(number)):
                raise SnapshotError(f"{path}: what was kept of it was changed or removed: nothing was undone")
            lost.add(path)
        return frozenset(lost)

    def _set_goal(self, manifest: Manifest, changes: Changes | None) -> _Goal:
        returning = _list_returning(manifest, changes)
        if changes is not None:
            return _Goal(
                frozenset(path for path in changes.after if path not in manifest.files),
                frozenset(changes.new_folders),
                returning,
                frozenset(changes.gone_folders) & manifest.folders,
            )
        try:
            now = read_tree(manifest.roots)
        except OSError as error:
            raise SnapshotError(f"{error.filename}: {error.strerror or error}: nothing was undone") from error
        end = find_end(self._folder)
        return _Goal(
            frozenset(
                path
                for path in now.files.keys() - manifest.files.keys()
                if path.endswith(_ARRIVING) or not is_later(path, end)
            ),
            now.folders - manifest.folders,
            returning,
            manifest.folders,
        )

    def _move_away(self, path: str, problems: list[str]) -> bool:
        number = self._moved
        self._moved += 1
        folder = self._replaced / str(number // _FILES_PER_FOLDER)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _move(path, folder / f"{number}-{os.path.basename(path)}")
        except FileNotFoundError:
            return False
        except OSError as error:
            problems.append(f"{path}: {error.strerror or error}")
            return False
        return True

    def _bring_back(self, path: str, number: int, state: State, clear: Clear, problems: list[str]) -> bool:
        now = read_state(path)
        if now == state:
            return False
        if now is not None and clear is not _remove and not clear(path, problems):
            return False
        arriving = f"{path}{_ARRIVING}"
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(arriving):
                os.unlink(arriving)
            if isinstance(state, str):
                os.symlink(state, arriving)
            else:
                # A second name again, so that the snapshot can be brought back once more.
                _link_or_copy(str(self._locate(number)), arriving)
            _replace(arriving, path)
        except OSError as error:
            problems.append(f"{path}: {error.strerror or error}")
            return False
        return True

    def _read(self, read: Callable[[Path], T], name: str) -> T:
        file = self._folder / name
        try:
            return read(file)
        except ManifestError as error:
            raise SnapshotError(str(error)) from error
        except OSError as error:
            raise SnapshotError(f"{file}: {error.strerror or error}") from error


def measure(roots: Sequence[str]) -> int:
    """Return how many bytes the files below the roots have."""
    return sum(state[0] for state in read_tree(roots).files.values() if not isinstance(state, str))


def _list_returning(manifest: Manifest, changes: Changes | None) -> Mapping[str, tuple[int, State]]:
    if changes is None:
        return manifest.files
    return {path: manifest.files[path] for path in changes.after if path in manifest.files}


def _list_rights(manifest: Manifest, changes: Changes | None) -> Mapping[str, Rights]:
    """Return the rights that come back; of a step that was cut off, it is not known which it changed."""
    if changes is None:
        return manifest.rights
    touched = {*changes.after, *changes.gone_folders, *changes.rights}
    return {path: rights for path, rights in manifest.rights.items() if path in touched}


def _is_same_file(path: str, kept: Path) -> bool:
    """Return whether what was kept of a file is still a second name of it: then it was written into."""
    try:
        return os.path.samefile(path, kept)
    except (OSError, ValueError):
        return False


def _find_blocking_file(path: str) -> str | None:
    """Return a file that stands where a folder above a path was, or None."""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        if os.path.lexists(folder):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return None


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        # Another disk, one without links, or a file of another user.
        shutil.copy2(source, target)


def _replace(source: str, target: str) -> None:
    """Put a file in the place of another one, which may be read-only, or be the same file by another name."""
    try:
        os.replace(source, target)
    except PermissionError:
        os.chmod(target, stat.S_IWRITE | stat.S_IREAD)
        os.replace(source, target)
    # Two names of one file stay both.
    if os.path.lexists(source):
        os.unlink(source)


def _move(source: str, target: Path) -> None:
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV and getattr(error, "winerror", 0) != 17:  # ERROR_NOT_SAME_DEVICE
            raise
        shutil.copy2(source, target, follow_symlinks=False)
        os.unlink(source)


def _remove(path: str, problems: list[str]) -> bool:
    try:
        try:
            os.unlink(path)
        except PermissionError:
            # Windows removes no read-only file.
            os.chmod(path, stat.S_IWRITE | stat.S_IREAD)
            os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        problems.append(f"{path}: {error.strerror or error}")
        return False
    return True


def _make_folder(path: str, problems: list[str]) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        problems.append(f"{path}: {error.strerror or error}")


def _remove_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        pass  # It has files of somebody else by now.
