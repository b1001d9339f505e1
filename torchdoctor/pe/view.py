"""Read untrusted bytes with bounds checks, from a mapped file or a bytes object."""

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct

# Longer than any name a linker writes: torch_python.dll imports C++ names of several thousand characters.
NAME_LIMIT_BYTES = 0x4000

_UINT16 = Struct("<H")
_UINT32 = Struct("<I")
_UINT64 = Struct("<Q")


class PeError(ValueError):
    """A file is not a readable PE image; the message is one line that says why."""


class View:
    """The bytes of one file; a read outside of them raises PeError."""

    __slots__ = ("data", "size")

    def __init__(self, data: bytes | mmap.mmap) -> None:
        """Set the bytes to read from, without copying them."""
        self.data = data
        self.size = len(data)

    def unpack(self, layout: Struct, offset: int) -> tuple[int, ...]:
        """Unpack a layout at a file offset."""
        if offset < 0 or offset + layout.size > self.size:
            raise PeError(f"truncated: {layout.size} bytes wanted at {offset:#x} of {self.size:#x}")
        return layout.unpack_from(self.data, offset)

    def uint16(self, offset: int) -> int:
        """Read an unsigned 16-bit number."""
        return self.unpack(_UINT16, offset)[0]

    def uint32(self, offset: int) -> int:
        """Read an unsigned 32-bit number."""
        return self.unpack(_UINT32, offset)[0]

    def uint64(self, offset: int) -> int:
        """Read an unsigned 64-bit number."""
        return self.unpack(_UINT64, offset)[0]

    def slice(self, offset: int, length: int) -> bytes:
        """Copy a range of bytes; raise PeError if it is not complete."""
        if offset < 0 or length < 0 or offset + length > self.size:
            raise PeError(f"truncated: {length} bytes wanted at {offset:#x} of {self.size:#x}")
        return self.data[offset : offset + length]

    def name(self, offset: int, limit_bytes: int = NAME_LIMIT_BYTES) -> str:
        """Read a zero-terminated name; raise PeError if it is not printable."""
        end = self.data.find(b"\0", offset, offset + limit_bytes) if offset >= 0 else -1
        if end < 0:
            raise PeError(f"truncated: no end of the name at {offset:#x}")
        text = decode(self.data[offset:end])
        if not text or not text.isprintable():
            raise PeError(f"not a name at {offset:#x}")
        return text


def decode(raw: bytes) -> str:
    """Decode a name as UTF-8, else as Latin-1, which never fails; an image does not record its code page."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


@contextmanager
def map_file(path: Path) -> Iterator[View]:
    """Map a regular file for reading.

    Raises:
        OSError: the file cannot be opened.
        PeError: the file is empty, not a regular file, or cannot be mapped.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise PeError("not a PE file: not a regular file")
    if status.st_size == 0:
        raise PeError("not a PE file: empty")
    # Closed right after reading, because on Windows an upgrade cannot replace a mapped DLL.
    with open(path, "rb", buffering=0) as file, _map(file.fileno()) as data:
        yield View(data)


def _map(descriptor: int) -> mmap.mmap:
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    except (ValueError, OverflowError) as error:  # emptied meanwhile, or too large for the address space
        raise PeError(f"not a PE file: cannot be mapped ({error})") from error
