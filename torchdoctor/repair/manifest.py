"""The files of a snapshot: what was there before a step, and what the step changed."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.repair.trees import Rights, State, Tree

T = TypeVar("T")


class ManifestError(Exception):
    """A file of a snapshot is damaged; the message is one line."""


@record
class Manifest:
    """What was there: the roots, folders, each file with the number of its kept copy, and all rights."""

    roots: tuple[str, ...]
    folders: frozenset[str]
    files: Mapping[str, tuple[int, State]]
    rights: Mapping[str, Rights]


@record
class Changes:
    """What a step changed: the files with what they were after it (None: gone), folders, and rights.

    `lost` are the files that were written into in place, and with them what was kept of them.
    """

    after: Mapping[str, State | None]
    new_folders: tuple[str, ...]
    gone_folders: tuple[str, ...]
    rights: tuple[str, ...]
    lost: tuple[str, ...]


def write_manifest(file: Path, roots: Iterable[str], tree: Tree) -> None:
    """Write what is there now; kept files have numbers in the order of the tree, links have none.

    Raises:
        OSError: it cannot be written.
    """
    folders = {path: tree.rights[path] for path in sorted(tree.folders)}
    head = {"roots": list(roots), "folders": folders, "files": len(tree.files)}
    lines = [json.dumps(head)]
    number = 0
    for path, state in tree.files.items():
        lines.append(json.dumps([number, path, state, tree.rights.get(path)]))
        number += not isinstance(state, str)
    write_durably(file, "\n".join(lines) + "\n")


def read_manifest(file: Path) -> Manifest:
    """Read what was there.

    Raises:
        OSError: the file cannot be read.
        ManifestError: it is damaged, or a part of it is missing.
    """
    return _read(file, _parse_manifest)


def _parse_manifest(text: str) -> Manifest:
    head, *rows = map(json.loads, text.splitlines())
    if len(rows) != head["files"]:
        raise ValueError(f"{len(rows)} of {head['files']} files")
    files = {_as_text(path): (_as_number(number), _as_state(state)) for number, path, state, _ in rows}
    rights = {_as_text(path): _as_rights(value) for path, value in head["folders"].items()}
    folders = frozenset(rights)
    rights |= {path: _as_rights(value) for _, path, _, value in rows if value is not None}
    return Manifest(_as_texts(head["roots"]), folders, files, rights)


def write_changes(file: Path, changes: Changes) -> None:
    """Write what a step changed.

    Raises:
        OSError: it cannot be written.
    """
    data = {
        "after": dict(changes.after),
        "new_folders": changes.new_folders,
        "gone_folders": changes.gone_folders,
        "rights": changes.rights,
        "lost": changes.lost,
    }
    write_durably(file, json.dumps(data))


def read_changes(file: Path) -> Changes | None:
    """Read what a step changed; None if that was not written.

    Raises:
        OSError: the file cannot be read.
        ManifestError: it is damaged.
    """
    try:
        return _read(file, _parse_changes)
    except FileNotFoundError:
        return None


def _parse_changes(text: str) -> Changes:
    data = json.loads(text)
    after = {
        _as_text(path): None if state is None else _as_state(state) for path, state in data["after"].items()
    }
    names = ("new_folders", "gone_folders", "rights", "lost")
    return Changes(after, *(_as_texts(data[name]) for name in names))


def _read(file: Path, parse: Callable[[str], T]) -> T:
    data = read_bytes(file)
    try:
        return parse(data.decode("utf-8"))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise ManifestError(f"{file} is damaged: {error}") from error


def _as_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a path is no text")
    return value


def _as_texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return tuple(map(_as_text, value))


def _as_number(value: object) -> int:
    if type(value) is not int:
        raise TypeError("a number is missing")
    return value


def _as_rights(value: object) -> Rights:
    if not isinstance(value, list) or len(value) != 3:
        raise TypeError("a mode is missing")
    mode, user, group = map(_as_number, value)
    return mode, user, group


def _as_state(value: object) -> State:
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError("the state of a file is missing")
    return _as_number(value[0]), _as_number(value[1])


def write_durably(path: Path, text: str) -> None:
    """Write a file so that it is there whole, or not at all, also after a power failure.

    Raises:
        OSError: it cannot be written.
    """
    temporary = path.with_name(f"{path.name}.new")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
