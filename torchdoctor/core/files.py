"""Reading files that this machine's user, or another program, made: they may be anything."""

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast
    from pathlib import Path
    from typing import IO

# Larger than any file that is read whole here: the largest RECORD has a few MB, a facts file less.
MAX_BYTES = 256 << 20
_CHUNK_BYTES = 1 << 20


def read_bytes(path: "str | os.PathLike[str]", max_bytes: int = MAX_BYTES) -> bytes:
    """Read a file; a pipe or a device, which may never end, is not read.

    Raises:
        OSError: it cannot be read, is no regular file, or has more bytes than that.
    """
    with _open(path) as file:
        # A read of many bytes at once would allocate them, however short the file is.
        chunk_bytes = min(os.fstat(file.fileno()).st_size + 1, _CHUNK_BYTES)
        data = bytearray()
        while len(data) <= max_bytes and (chunk := file.read(chunk_bytes)):
            data += chunk
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"more than {max_bytes:,} bytes")
    return bytes(data)


def read_start(path: "str | os.PathLike[str]", count: int) -> bytes:
    """Read at most so many bytes of a file.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    with _open(path) as file:
        return file.read(count)


def _open(path: "str | os.PathLike[str]") -> "IO[bytes]":
    """Open a regular file for reading.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    try:
        # A named pipe would wait for its writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no usable path ({error})") from error
    try:
        file = open(descriptor, "rb")  # noqa: SIM115 - the caller closes it
    except OSError:
        # A folder, of which Python leaves the descriptor open.
        os.close(descriptor)
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file")
    return file


def read_text(path: "str | os.PathLike[str]", encoding: str = "utf-8", max_bytes: int = MAX_BYTES) -> str:
    """Read a text file; bytes that are not in the encoding become U+FFFD.

    Raises:
        OSError: as for `read_bytes`.
    """
    text = read_bytes(path, max_bytes).decode(encoding, errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_python(path: "str | os.PathLike[str]", max_bytes: int = MAX_BYTES) -> "ast.Module":
    """Parse a Python file.

    Raises:
        OSError: as for `read_bytes`.
        ValueError: it is no Python, or too deeply nested to be parsed.
    """
    # Imported here: most of what reads files parses none.
    import ast

    data = read_bytes(path, max_bytes)
    try:
        return ast.parse(data)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(str(error) or "it is nested too deeply") from error


def follow_links(path: "str | os.PathLike[str]") -> str:
    """Return the path behind the links of a path, or the whole path where Windows tells none: of a device."""
    try:
        return os.path.realpath(path)
    except OSError:
        return os.path.abspath(path)


def find_current_folder() -> "Path | None":
    """Return the current folder, None if it was deleted."""
    from pathlib import Path

    try:
        return Path.cwd()
    except OSError:
        return None
