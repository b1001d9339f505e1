"""Windows executables and wheels."""

import io
import os
import struct
import tempfile
import zipfile
from pathlib import Path

from mutations import damaged_bytes

from targets.table import SHARED_MEMORY, require_line, target
from torchdoctor.pe.exports import parse_exports
from torchdoctor.pe.image import parse_image
from torchdoctor.pe.imports import parse_import_symbols
from torchdoctor.pe.version import parse_file_version
from torchdoctor.pe.view import PeError, View
from torchdoctor.pe.wheel import WheelError, collect_images


def build_image(imports: int, exports: int) -> bytes:
    """Build a DLL with an import and an export table, and resources."""
    section = bytearray(0x800)
    for number in range(imports):
        struct.pack_into("<5I", section, 20 * number, 0x1180, 0, 0, 0x1200 + 16 * number, 0x1180)
        section[0x200 + 16 * number : 0x20A + 16 * number] = b"lib%03d.dll" % number
    struct.pack_into("<2Q", section, 0x180, 0x12F0, 1 << 63 | 7)
    section[0x2F0:0x300] = b"\0\0initialise\0\0\0\0"
    struct.pack_into("<II4xI5I", section, 0x300, 0, 0, 0x1200, 1, exports, exports, 0x1340, 0x1360)
    for number in range(exports):
        struct.pack_into("<I", section, 0x360 + 4 * number, 0x12F2)
    struct.pack_into("<12xHHII", section, 0x400, 0, 1, 16, 0x80000018)
    struct.pack_into("<12xHHII", section, 0x418, 0, 1, 1, 0x80000030)
    struct.pack_into("<12xHHII", section, 0x430, 0, 1, 1033, 0x48)
    struct.pack_into("<4I", section, 0x448, 0x1460, 0x100, 0, 0)
    key = "VS_VERSION_INFO".encode("utf-16-le")
    section[0x460 : 0x460 + 6 + len(key)] = struct.pack("<3H", 0x100, 52, 0) + key
    struct.pack_into("<13I", section, 0x488, 0xFEEF04BD, 0x10000, 14 << 16 | 40, 33807 << 16, *[0] * 9)
    directories = [0] * 32
    directories[0:6] = [0x1300, 0x80, 0x1000, 20 * imports + 20, 0x1400, 0x200]
    headers = b"MZ" + bytes(58) + struct.pack("<I", 0x40) + b"PE\0\0"
    headers += struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, 240, 0x2022)
    headers += struct.pack("<H6xI96x2I", 0x20B, 0, 0, 16)[:112].ljust(108, b"\0") + struct.pack("<I", 16)
    headers += struct.pack("<32I", *directories)
    headers += struct.pack("<8s6I2HI", b".rdata", 0x800, 0x1000, 0x800, 0x400, 0, 0, 0, 0, 0x40000040)
    return headers.ljust(0x400, b"\0") + bytes(section)


IMAGES = (build_image(2, 1), build_image(12, 5), build_image(0, 0))


@target(damaged_bytes(IMAGES))
def image(data: bytes) -> None:
    """An image is read, or refused in one line."""
    for read in (
        lambda view: parse_image(view, "a.dll"),
        parse_exports,
        lambda view: parse_import_symbols(view, "lib001.dll"),
        parse_file_version,
    ):
        try:
            read(View(data))
        except PeError as error:
            require_line(str(error))


def build_wheel(names: tuple[str, ...], compression: int) -> bytes:
    """Build a wheel with images of these names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name in names:
            archive.writestr(name, IMAGES[0])
        archive.writestr("a-1.dist-info/RECORD", "a/b.pyd,,\n")
    return file.getvalue()


WHEELS = (
    build_wheel(("a/b.pyd", "a/lib001.dll"), zipfile.ZIP_DEFLATED),
    build_wheel(("a.dll", "A.DLL", "x/../a.dll"), zipfile.ZIP_STORED),
    build_wheel(("a.libs/é中.dll",), zipfile.ZIP_BZIP2),
)


@target(damaged_bytes(WHEELS))
def wheel(data: bytes) -> None:
    """A wheel is unpacked in its folder, or refused in one line."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "a.whl")
        file.write_bytes(data)
        try:
            with collect_images(file) as found:
                assert all(each.is_relative_to(found.root) for each in found.images)
        except WheelError as error:
            require_line(str(error))
        assert os.listdir(folder) == ["a.whl"]
