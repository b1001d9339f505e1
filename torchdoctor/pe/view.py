"""Bounds-checked reading of untrusted bytes, over a mapped file or a bytes object."""

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
    """Say in one line why a file is no readable PE image."""


class View:
    """The bytes of one file; every read is checked, and a bad one raises PeError."""

    __slots__ = ("data", "size")

    def __init__(self, data: bytes | mmap.mmap) -> None:
        """Take the bytes to read from; they are not copied."""
        self.data = data
        self.size = len(data)

    def unpack(self, layout: Struct, offset: int) -> tuple[int, ...]:
        """Read one fixed layout at a file offset."""
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
        """Copy a stretch of bytes, all of it or PeError."""
        if offset < 0 or length < 0 or offset + length > self.size:
            raise PeError(f"truncated: {length} bytes wanted at {offset:#x} of {self.size:#x}")
        return self.data[offset : offset + length]

    def name(self, offset: int, limit_bytes: int = NAME_LIMIT_BYTES) -> str:
        """Read a printable zero-terminated name."""
        end = self.data.find(b"\0", offset, offset + limit_bytes) if offset >= 0 else -1
        if end < 0:
            raise PeError(f"truncated: no end of the name at {offset:#x}")
        text = decode(self.data[offset:end])
        if not text or not text.isprintable():
            raise PeError(f"not a name at {offset:#x}")
        return text


def decode(raw: bytes) -> str:
    """Turn a name's bytes into text; code pages are not recorded in an image, so nothing fails."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


@contextmanager
def map_file(path: Path) -> Iterator[View]:
    """Map a regular file for reading. Raises OSError where it cannot be opened, PeError where it is empty."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise PeError("not a PE file: not a regular file")
    if status.st_size == 0:
        raise PeError("not a PE file: empty")
    # Closed at once after reading: on Windows a mapped DLL cannot be replaced by an upgrade.
    with open(path, "rb", buffering=0) as file, _mapped(file.fileno()) as data:
        yield View(data)


def _mapped(descriptor: int) -> mmap.mmap:
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    except (ValueError, OverflowError) as error:  # emptied meanwhile, or larger than the address space
        raise PeError(f"not a PE file: cannot be mapped ({error})") from error
