"""Keep the files of folders as they are now, and bring them back.

A kept file is a second name (hard link) of the same file where the disk allows it, which costs no space: pip
removes and makes files, and never writes into one that is there. Nothing that is in the way of a file which
comes back is deleted; it is moved into the folder of the snapshot.
"""

import errno
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from torchdoctor.core.record import record

_MANIFEST, _FILES, _REPLACED, _CHANGES = "manifest.jsonl", "files", "replaced", "changes.json"
# A folder with very many files is slow on some disks.
_FILES_PER_FOLDER = 1000
_REPARSE_POINT = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0)

# In place of the target, which no link has.
_JUNCTION = "\0junction"

# What a file is known by: its size and the time of its last change, or the target of a link.
State = tuple[int, int] | str
# Takes a file out of the way, and returns whether it did; the reason why not is added to a list.
Clear = Callable[[str, list[str]], bool]


class SnapshotError(Exception):
    """A snapshot cannot be made or brought back; the message is one line."""


@record
class Restored:
    """How many files came back, how many were taken away, and what could not be brought back."""

    returned: int
    removed: int
    problems: tuple[str, ...] = ()


@record
class _Tree:
    """The files of some folders by path, and their folders."""

    files: Mapping[str, State]
    folders: frozenset[str]


class Snapshot:
    """A snapshot in a folder of its own.

    It is complete as soon as its manifest is there. `note_changes` narrows it to what a step changed, so that
    files that come and go later do not matter.
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder, which need not exist yet."""
        self._folder = folder
        self._moved = 0

    def take(self, roots: Sequence[str]) -> None:
        """Keep all files below the roots, which may be files themselves, or not exist.

        Raises:
            SnapshotError: a file cannot be read, or the disk is full.
        """
        try:
            self._folder.mkdir(parents=True)
            tree = _read_tree(roots)
            lines = [json.dumps({"roots": list(roots), "folders": sorted(tree.folders)})]
            number = 0
            for path, state in tree.files.items():
                lines.append(json.dumps([number, path, state]))
                if not isinstance(state, str):
                    self._keep(path, number)
                    number += 1
            _write_durably(self._folder / _MANIFEST, "\n".join(lines) + "\n")
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise SnapshotError(f"{place}cannot be kept: {error.strerror or error}") from error

    def _keep(self, path: str, number: int) -> None:
        kept = self._locate(number)
        if number % _FILES_PER_FOLDER == 0:
            kept.parent.mkdir(parents=True)
        try:
            os.link(path, kept)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            # Another disk, one without links, or a file of another user.
            shutil.copy2(path, kept)

    def _locate(self, number: int) -> Path:
        return self._folder / _FILES / str(number // _FILES_PER_FOLDER) / str(number)

    @property
    def is_complete(self) -> bool:
        """Whether there is something to bring back."""
        return (self._folder / _MANIFEST).is_file()

    def note_changes(self) -> None:
        """Keep only what differs from the snapshot now, and what it is now.

        Raises:
            SnapshotError: the files cannot be read.
        """
        try:
            head, kept = self._read_manifest()
            now = _read_tree(head["roots"])
            changed = {path for path, (_, state) in kept.items() if now.files.get(path) != state}
            added = {path: state for path, state in now.files.items() if path not in kept}
            after = {path: now.files.get(path) for path in sorted(changed)} | added
            folders = sorted(now.folders - set(head["folders"]))
            _write_durably(self._folder / _CHANGES, json.dumps({"after": after, "folders": folders}))
            for path, (number, state) in kept.items():
                if path not in changed and not isinstance(state, str):
                    self._locate(number).unlink(missing_ok=True)
        except OSError as error:
            raise SnapshotError(f"{error.filename}: {error.strerror or error}") from error

    def list_changed_since(self) -> list[str]:
        """Return the files that are no more as the step left them; empty if its changes were not noted.

        Raises:
            SnapshotError: the files cannot be read.
        """
        changes = self._read_changes()
        if changes is None:
            return []
        return [path for path, state in changes["after"].items() if _read_state(path) != _as_state(state)]

    def restore(self) -> Restored:
        """Bring all files back; what is in their place is moved away.

        Raises:
            SnapshotError: the snapshot is not complete, or cannot be read.
        """
        try:
            head, kept = self._read_manifest()
        except OSError as error:
            raise SnapshotError(f"{self._folder}: {error.strerror or error}") from error
        changes = self._read_changes()
        if changes is None:
            now = _read_tree(head["roots"])
            new_files = set(now.files) - set(kept)
            new_folders = set(now.folders) - set(head["folders"])
            returning = kept
        else:
            after = changes["after"]
            new_files, new_folders = {path for path in after if path not in kept}, set(changes["folders"])
            returning = {path: kept[path] for path in after if path in kept}
        problems: list[str] = []
        # What the step itself left is known, and can be made again; anything else may be somebody's work.
        clear = _remove if changes is not None else self._move_away
        removed = sum(clear(path, problems) for path in sorted(new_files))
        for path in sorted(new_folders, key=len, reverse=True):
            _remove_empty(path)
        for path in sorted(head["folders"], key=len):
            os.makedirs(path, exist_ok=True)
        returned = sum(self._bring_back(path, *each, clear, problems) for path, each in returning.items())
        return Restored(returned, removed, tuple(problems))

    def _move_away(self, path: str, problems: list[str]) -> bool:
        number = self._moved
        self._moved += 1
        folder = self._folder / _REPLACED / f"{os.getpid()}-{number // _FILES_PER_FOLDER}"
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
        now = _read_state(path)
        if now == state:
            return False
        if now is not None and not clear(path, problems):
            return False
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if state == _JUNCTION:
                problems.append(f"{path}: it led to another folder, which is not kept")
                return False
            if isinstance(state, str):
                os.symlink(state, path)
            else:
                kept = self._locate(number)
                if _read_state(str(kept)) != state:
                    problems.append(f"{path}: what was kept of it was changed or removed")
                    return False
                # A second name again, so that the snapshot can be brought back once more.
                _link_or_copy(kept, path)
        except OSError as error:
            problems.append(f"{path}: {error.strerror or error}")
            return False
        return True

    def _read_manifest(self) -> tuple[dict[str, list[str]], dict[str, tuple[int, State]]]:
        with open(self._folder / _MANIFEST, encoding="utf-8") as file:
            try:
                head = json.loads(file.readline())
                rows = [json.loads(line) for line in file]
            except ValueError as error:
                raise SnapshotError(f"{self._folder / _MANIFEST} is damaged: {error}") from error
        return head, {path: (number, _as_state(state) or "") for number, path, state in rows}

    def _read_changes(self) -> dict[str, dict[str, object]] | None:
        try:
            with open(self._folder / _CHANGES, encoding="utf-8") as file:
                changes: dict[str, dict[str, object]] = json.load(file)
                return changes
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise SnapshotError(f"{self._folder / _CHANGES} is damaged: {error}") from error


def measure(roots: Sequence[str]) -> int:
    """Return how many bytes the files below the roots have."""
    return sum(state[0] for state in _read_tree(roots).files.values() if not isinstance(state, str))


def _read_tree(roots: Sequence[str]) -> _Tree:
    files: dict[str, State] = {}
    folders: set[str] = set()
    for root in roots:
        for path, state in _walk(root):
            if state is None:
                folders.add(path)
            else:
                files[path] = state
    return _Tree(files, frozenset(folders))


def _walk(root: str) -> Iterator[tuple[str, State | None]]:
    """Yield each file below a folder with its state, and each folder without one."""
    state = _read_state(root)
    if state is not None:
        yield root, state
        return
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        yield folder, None
        for entry in entries:
            state = _read_state(entry.path)
            if state is not None:
                yield entry.path, state
            elif entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)


def _read_state(path: str) -> State | None:
    """Return what a file is known by; None for a folder, and for what is not there."""
    try:
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            return os.readlink(path)
    except OSError:
        return None
    if getattr(status, "st_file_attributes", 0) & _REPARSE_POINT and stat.S_ISDIR(status.st_mode):
        # A junction: what it leads to is not below this folder.
        return _JUNCTION
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _as_state(value: object) -> State | None:
    return tuple(value) if isinstance(value, list) else value  # type: ignore[return-value]


def _link_or_copy(source: Path, target: str) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        shutil.copy2(source, target)


def _move(source: str, target: Path) -> None:
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV and getattr(error, "winerror", 0) != 17:  # ERROR_NOT_SAME_DEVICE
            raise
        shutil.copy2(source, target)
        os.unlink(source)


def _remove(path: str, problems: list[str]) -> bool:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        problems.append(f"{path}: {error.strerror or error}")
        return False
    return True


def _remove_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        pass  # It has files of somebody else by now.


def _write_durably(path: Path, text: str) -> None:
    """Write a file so that it is there whole, or not at all, also after a power failure."""
    temporary = path.with_name(f"{path.name}.new")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
