"""A builder of small PE images, and the library folder of a real Windows torch."""

import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

# Where the only section with data begins, in memory and in the file.
_DATA_RVA = 0x1000
_DATA_OFFSET = 0x400
WRITE, SHARED, READ = 0x80000000, 0x10000000, 0x40000000

Symbols = Sequence[str | int]


@dataclass
class _ImageData:
    """The data of an image; every method appends to it and returns the address of what it appended."""

    is_64bit: bool
    content: bytearray = field(default_factory=bytearray)

    def append(self, data: bytes) -> int:
        """Append data, aligned to eight bytes."""
        self.content += b"\0" * (-len(self.content) % 8)
        address = _DATA_RVA + len(self.content)
        self.content += data
        return address

    def append_thunks(self, symbols: Symbols) -> int:
        """Append an import lookup table, with the names that it needs."""
        code, top = ("<Q", 1 << 63) if self.is_64bit else ("<I", 1 << 31)
        values = [
            top | symbol if isinstance(symbol, int) else self.append(b"\0\0" + symbol.encode() + b"\0")
            for symbol in symbols
        ]
        return self.append(b"".join(struct.pack(code, value) for value in (*values, 0)))

    def append_imports(self, imports: Sequence[tuple[str, Symbols]]) -> int:
        """Append the import table of these DLLs."""
        table = b""
        for dll, symbols in imports:
            thunks = self.append_thunks(symbols)
            table += struct.pack("<5I", thunks, 0, 0, self.append(dll.encode() + b"\0"), thunks)
        return self.append(table + bytes(20))

    def append_delayed_imports(self, imports: Sequence[tuple[str, Symbols]]) -> int:
        """Append the delay-load import table of these DLLs."""
        table = b""
        for dll, symbols in imports:
            name = self.append(dll.encode() + b"\0")
            table += struct.pack("<8I", 1, name, 0, 0, self.append_thunks(symbols), 0, 0, 0)
        return self.append(table + bytes(32))

    def append_exports(self, names: Sequence[str]) -> int:
        """Append the export table; ordinals start at 1."""
        functions = self.append(struct.pack(f"<{len(names)}I", *[_DATA_RVA] * len(names)))
        rvas = [self.append(name.encode() + b"\0") for name in names]
        table = self.append(struct.pack(f"<{len(names)}I", *rvas))
        return self.append(bytes(16) + struct.pack("<6I", 1, len(names), len(names), functions, table, 0))

    def append_version(self, version: tuple[int, int, int, int]) -> int:
        """Append a resource tree with a file version."""
        high, low = version[0] << 16 | version[1], version[2] << 16 | version[3]
        fixed = struct.pack("<4I", 0xFEEF04BD, 0x10000, high, low)
        data = self.append(
            struct.pack("<3H", 92, 52, 0) + "VS_VERSION_INFO\0".encode("utf-16-le") + b"\0\0" + fixed
        )
        levels = ((16, 1 << 31 | 24), (1, 1 << 31 | 48), (1033, 72))
        tree = b"".join(bytes(14) + b"\1\0" + struct.pack("<2I", *level) for level in levels)
        return self.append(tree + struct.pack("<4I", data, 92, 0, 0))


def build_image(
    imports: Sequence[tuple[str, Symbols]] = (),
    *,
    delayed: Sequence[tuple[str, Symbols]] = (),
    exports: Sequence[str] = (),
    version: tuple[int, int, int, int] | None = None,
    sections: Sequence[tuple[str, int, int]] = (),
    machine: int = 0x8664,
    is_64bit: bool = True,
) -> bytes:
    """Return the bytes of an image; `sections` adds sections without data: (name, virtual size, flags)."""
    data = _ImageData(is_64bit)
    directories = [0] * 16
    directories[1] = data.append_imports(imports) if imports else 0
    directories[13] = data.append_delayed_imports(delayed) if delayed else 0
    directories[0] = data.append_exports(exports) if exports else 0
    directories[2] = data.append_version(version) if version else 0
    size = len(data.content)
    table = _section(".rdata", size, _DATA_RVA, _DATA_OFFSET, READ, raw=size)
    for number, (name, virtual_size, flags) in enumerate(sections):
        table += _section(name, virtual_size, 0x100000 * (number + 1), 0, flags, raw=0)
    optional = _optional_header(directories, is_64bit)
    file_header = struct.pack(
        "<4sHHIIIHH", b"PE", machine, 1 + len(sections), 77, 0, 0, len(optional), 0x2022
    )
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40) + file_header + optional + table
    return head.ljust(_DATA_OFFSET, b"\0") + bytes(data.content)


def _optional_header(directories: list[int], is_64bit: bool) -> bytes:
    start = struct.pack("<HBB", 0x20B if is_64bit else 0x10B, 14, 42).ljust(60, b"\0") + struct.pack(
        "<I", _DATA_OFFSET
    )
    rows = b"".join(struct.pack("<2I", rva, 8) for rva in directories)
    return start.ljust(108 if is_64bit else 92, b"\0") + struct.pack("<I", 16) + rows


def _section(name: str, virtual_size: int, rva: int, offset: int, flags: int, *, raw: int) -> bytes:
    return struct.pack("<8sIIII12xI", name.encode(), virtual_size, rva, raw, offset, flags)


@pytest.fixture(scope="session")
def build_pe() -> Callable[..., bytes]:
    """Return the function that builds an image."""
    return build_image


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes an image of the given name and imported DLLs below tmp_path."""

    def write_image(name: str, *dlls: str, **options: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(build_image([(dll, ["f"]) for dll in dlls], **options))  # type: ignore[arg-type]
        return path

    return write_image


@pytest.fixture(scope="session")
def torch_lib() -> Path:
    """Return the lib folder of a Windows torch, named by TORCHDOCTOR_TORCH_LIB."""
    folder = os.environ.get("TORCHDOCTOR_TORCH_LIB")
    if not folder:
        pytest.skip("TORCHDOCTOR_TORCH_LIB names no Windows torch/lib folder")
    return Path(folder)
