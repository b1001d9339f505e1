"""Write files completely or not at all."""

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from torchdoctor.core.files import follow_links

_PART_DIGITS = 16
_PART = re.compile(rf"[0-9a-f]{{{_PART_DIGITS}}}\Z")
_SECONDS_OF_A_WRITE = 600


def write_whole(path: Path, data: bytes, mode: int | None = None, *, replaced: bytes | None = None) -> None:
    """Write a file in one step, by default with the mode of the file that it replaces; a link stays a link.

    The owner stays the same, too. `replaced` is what the file has to hold until the last moment.

    Raises:
        OSError: the file cannot be written, or holds something else.
    """
    with open_whole(path, mode, replaced=replaced) as file:
        file.write(data)


@contextmanager
def open_whole(path: Path, mode: int | None = None, *, replaced: bytes | None = None) -> Iterator[IO[bytes]]:
    """Open a file to write, which takes its place only when the context ends without an exception.

    Raises:
        OSError: the file cannot be written, or does not hold `replaced` any more.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        # A device or a pipe is written to, not replaced.
        with open(path, "wb") as device:
            yield device
        return
    target = Path(follow_links(path))
    # The name is known before the file is there: it is removed whenever a signal arrives.
    temporary = str(target.parent / f"{_make_start(target)}{os.urandom(_PART_DIGITS // 2).hex()}")
    try:
        with open(temporary, "xb", opener=_open_private) as file:
            yield file
        if mode is None:
            mode = target.stat().st_mode if os.path.exists(target) else _find_default_mode()
        if os.path.exists(target):
            _keep_owner(target, temporary)
            _keep_attributes(target, temporary)
        os.chmod(temporary, mode)
        if replaced is not None and target.read_bytes() != replaced:
            raise OSError(errno.EBUSY, "the file changed since it was read")
        os.replace(temporary, target)
    except BaseException:
        # Also after Ctrl-C. After the file was replaced, the temporary one is gone.
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def holds_own_file(path: Path) -> bool:
    """Return whether a path of the doctor's own is free, or a regular file: no pipe, and no link to another.

    Raises:
        OSError: the path cannot be looked at.
    """
    return not os.path.lexists(path) or stat.S_ISREG(os.lstat(path).st_mode)


def remove_left_parts(paths: Iterable[Path]) -> None:
    """Remove what killed processes left of writing files, but none of what may still be written."""
    starts: dict[Path, set[str]] = {}
    for path in paths:
        target = Path(follow_links(path))
        starts.setdefault(target.parent, set()).add(_make_start(target))
    for folder, known in starts.items():
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name[:-_PART_DIGITS] in known and _PART.search(entry.name):
                    _remove_old(entry)


def _remove_old(entry: os.DirEntry[str]) -> None:
    with suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > _SECONDS_OF_A_WRITE:
            os.unlink(entry.path)


def _make_start(target: Path) -> str:
    """Return how the names of the parts of a file begin."""
    return f".{target.name[:50]}."


def _keep_owner(target: Path, temporary: str) -> None:
    if sys.platform == "win32":
        return
    before, now = target.stat(), os.stat(temporary)
    if (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid):
        os.chown(temporary, before.st_uid, before.st_gid)


def _keep_attributes(target: Path, temporary: str) -> None:
    """Copy the extended attributes, such as an access control list, where the system has any."""
    if sys.platform != "linux":
        return
    # A file system without them says so by an error.
    with suppress(OSError):
        for name in os.listxattr(target):
            os.setxattr(temporary, name, os.getxattr(target, name))


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _find_default_mode() -> int:
    # The mode that `open` uses.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
