"""Read the text that a command is given, from a file or standard input."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from torchdoctor.core.usage import UsageError

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

_CHUNK_BYTES = 1 << 16
# A longer text takes a minute and more, or has no end.
_MOST_BYTES = 2 << 30
_TOO_LONG = f"the text has more than {_MOST_BYTES >> 30} GiB: give the part with the error"
# Shells name the pipe of `<(command)` by its descriptor.
_DESCRIPTOR_FOLDERS = ("/dev/fd/", "/proc/")
# What Linux shows of itself as files; to read one may wait for ever.
MADE_UP_FOLDERS = ("/proc", "/sys")
# Python's name for the code page in which programs on Windows write to a file or a pipe.
CODE_PAGE = "mbcs" if sys.platform == "win32" else ""


def read_chunks(file: "Path | str | None") -> Iterator[bytes]:
    """Yield the bytes of a file, or of standard input.

    Raises:
        OSError: the file cannot be read.
        UsageError: it has no end that could be waited for.
    """
    if file is None or str(file) == "-":
        # `read` would ask a terminal for more after the end of the text.
        yield from _limit(lambda: cast("BufferedReader", sys.stdin.buffer).read1(_CHUNK_BYTES))
        return
    status = os.stat(file)
    # A named pipe would wait for its writer.
    if stat.S_ISFIFO(status.st_mode) and not os.path.realpath(file).startswith(_DESCRIPTOR_FOLDERS):
        raise OSError(errno.EINVAL, "not a regular file")
    if stat.S_ISREG(status.st_mode) and _is_made_up(file):
        raise UsageError(f"{file}: made by the system, not a file with a text")
    if stat.S_ISREG(status.st_mode) and status.st_size > _MOST_BYTES:
        raise UsageError(_TOO_LONG)
    with open(file, "rb") as stream:
        if (
            stat.S_ISCHR(os.fstat(stream.fileno()).st_mode)
            and not stream.isatty()
            and str(file) != os.devnull
        ):
            raise UsageError(f"{file}: a device, not a file with a text")
        yield from _limit(lambda: stream.read(_CHUNK_BYTES))


def _is_made_up(file: "Path | str") -> bool:
    return os.path.realpath(file).startswith(tuple(f"{folder}/" for folder in MADE_UP_FOLDERS))


def _limit(read: Callable[[], bytes]) -> Iterator[bytes]:
    size = 0
    while chunk := read():
        size += len(chunk)
        if size > _MOST_BYTES:
            raise UsageError(_TOO_LONG)
        yield chunk
