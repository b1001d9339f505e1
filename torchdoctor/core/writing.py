"""Write files completely or not at all."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


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
    target = Path(os.path.realpath(path))
    # The name is known before the file is there: it is removed whenever a signal arrives.
    temporary = str(target.parent / f".{target.name[:50]}.{os.urandom(8).hex()}")
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
