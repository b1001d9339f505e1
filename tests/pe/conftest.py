"""A builder of tiny PE images, and the real torch folder where there is one."""

import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

_BASE = 0x1000  # the one section starts here in memory ...
_RAW = 0x400  # ... and here in the file
WRITE, SHARED, READ = 0x80000000, 0x10000000, 0x40000000

Symbols = Sequence[str | int]


@dataclass
class _Builder:
    """Lays out one section; every `put` gives the address of what it put."""

    is_64bit: bool
    body: bytearray = field(default_factory=bytearray)

    def put(self, data: bytes) -> int:
        """Append data, aligned to eight bytes."""
        self.body += b"\0" * (-len(self.body) % 8)
        address = _BASE + len(self.body)
        self.body += data
        return address

    def thunks(self, symbols: Symbols) -> int:
        """Append an import lookup table."""
        code, top = ("<Q", 1 << 63) if self.is_64bit else ("<I", 1 << 31)
        values = [
            top | symbol if isinstance(symbol, int) else self.put(b"\0\0" + symbol.encode() + b"\0")
            for symbol in symbols
        ]
        return self.put(b"".join(struct.pack(code, value) for value in (*values, 0)))

    def imports(self, imports: Sequence[tuple[str, Symbols]]) -> int:
        """Append the import table."""
        table = b""
        for dll, symbols in imports:
            thunks = self.thunks(symbols)
            table += struct.pack("<5I", thunks, 0, 0, self.put(dll.encode() + b"\0"), thunks)
        return self.put(table + bytes(20))

    def delayed(self, imports: Sequence[tuple[str, Symbols]]) -> int:
        """Append the delay-load import table."""
        table = b""
        for dll, symbols in imports:
            name = self.put(dll.encode() + b"\0")
            table += struct.pack("<8I", 1, name, 0, 0, self.thunks(symbols), 0, 0, 0)
        return self.put(table + bytes(32))

    def exports(self, names: Sequence[str]) -> int:
        """Append the export table, ordinals from 1 on."""
        functions = self.put(struct.pack(f"<{len(names)}I", *[_BASE] * len(names)))
        rvas = [self.put(name.encode() + b"\0") for name in names]
        table = self.put(struct.pack(f"<{len(names)}I", *rvas))
        return self.put(bytes(16) + struct.pack("<6I", 1, len(names), len(names), functions, table, 0))

    def version(self, version: tuple[int, int, int, int]) -> int:
        """Append a resource tree with a version."""
        high, low = version[0] << 16 | version[1], version[2] << 16 | version[3]
        fixed = struct.pack("<4I", 0xFEEF04BD, 0x10000, high, low)
        data = self.put(
            struct.pack("<3H", 92, 52, 0) + "VS_VERSION_INFO\0".encode("utf-16-le") + b"\0\0" + fixed
        )
        levels = ((16, 1 << 31 | 24), (1, 1 << 31 | 48), (1033, 72))
        tree = b"".join(bytes(14) + b"\1\0" + struct.pack("<2I", *level) for level in levels)
        return self.put(tree + struct.pack("<4I", data, 92, 0, 0))


def build(
    imports: Sequence[tuple[str, Symbols]] = (),
    *,
    delayed: Sequence[tuple[str, Symbols]] = (),
    exports: Sequence[str] = (),
    version: tuple[int, int, int, int] | None = None,
    sections: Sequence[tuple[str, int, int]] = (),
    machine: int = 0x8664,
    is_64bit: bool = True,
) -> bytes:
    """Build an image; further sections are (name, virtual size, flags) without data."""
    body = _Builder(is_64bit)
    directories = [0] * 16
    directories[1] = body.imports(imports) if imports else 0
    directories[13] = body.delayed(delayed) if delayed else 0
    directories[0] = body.exports(exports) if exports else 0
    directories[2] = body.version(version) if version else 0
    size = len(body.body)
    table = _section(".rdata", size, _BASE, _RAW, READ, raw=size)
    for number, (name, virtual_size, flags) in enumerate(sections):
        table += _section(name, virtual_size, 0x100000 * (number + 1), 0, flags, raw=0)
    optional = _optional_header(directories, is_64bit)
    file_header = struct.pack(
        "<4sHHIIIHH", b"PE", machine, 1 + len(sections), 77, 0, 0, len(optional), 0x2022
    )
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40) + file_header + optional + table
    return head.ljust(_RAW, b"\0") + bytes(body.body)


def _optional_header(directories: list[int], is_64bit: bool) -> bytes:
    start = struct.pack("<HBB", 0x20B if is_64bit else 0x10B, 14, 42).ljust(60, b"\0") + struct.pack(
        "<I", _RAW
    )
    rows = b"".join(struct.pack("<2I", rva, 8) for rva in directories)
    return start.ljust(108 if is_64bit else 92, b"\0") + struct.pack("<I", 16) + rows


def _section(name: str, virtual_size: int, rva: int, offset: int, flags: int, *, raw: int) -> bytes:
    return struct.pack("<8sIIII12xI", name.encode(), virtual_size, rva, raw, offset, flags)


@pytest.fixture(scope="session")
def pe() -> Callable[..., bytes]:
    """Give the builder of images."""
    return build


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Give a function that writes an image below tmp_path."""

    def write_image(name: str, *dlls: str, **options: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(build([(dll, ["f"]) for dll in dlls], **options))  # type: ignore[arg-type]
        return path

    return write_image


@pytest.fixture(scope="session")
def torch_lib() -> Path:
    """Give the lib folder of a Windows torch."""
    folder = os.environ.get("TORCHDOCTOR_TORCH_LIB")
    if not folder:
        pytest.skip("TORCHDOCTOR_TORCH_LIB names no Windows torch/lib folder")
    return Path(folder)
