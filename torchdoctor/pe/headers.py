"""Parse the headers of a PE image: machine, linker, sections, data directories."""

from struct import Struct

from torchdoctor.core.record import record
from torchdoctor.pe.view import PeError, View

WRITE = 0x80000000  # IMAGE_SCN_MEM_WRITE
SHARED = 0x10000000  # IMAGE_SCN_MEM_SHARED
PAGE_BYTES = 4096

EXPORTS, IMPORTS, RESOURCES, DELAYED_IMPORTS = 0, 1, 2, 13  # indexes of the data directories

# IMAGE_FILE_MACHINE_*, learn.microsoft.com/windows/win32/debug/pe-format
_MACHINES = {0x14C: "x86", 0x8664: "x64", 0xAA64: "arm64", 0x1C0: "arm", 0x1C2: "arm", 0x1C4: "arm"}

_FILE_HEADER = Struct("<IHHIIIHH")
_SECTION_HEADER = Struct("<8sIIII12xI")
_DIRECTORIES = tuple(Struct(f"<{2 * count}I") for count in range(17))
_SECTION_LIMIT = 96  # the loader's own limit


@record
class Section:
    """A section of an image: its size in memory and its access flags."""

    name: str
    virtual_size: int
    characteristics: int

    @property
    def is_private_writable(self) -> bool:
        """Whether each process that maps the image commits a copy of its own."""
        return bool(self.characteristics & WRITE) and not self.characteristics & SHARED


@record
class Headers:
    """The headers of an image, and the map from addresses in memory to offsets in the file."""

    machine: str
    is_64bit: bool
    linker_version: tuple[int, int]
    timestamp: int
    image_base: int
    header_bytes: int
    sections: tuple[Section, ...]
    extents: tuple[tuple[int, int, int], ...]  # first rva, rva after the last byte in the file, file offset
    directory_rvas: tuple[int, ...]

    def directory_offset(self, index: int) -> int | None:
        """Return the file offset of a data directory, or None if the image has none."""
        if index >= len(self.directory_rvas) or not self.directory_rvas[index]:
            return None
        return self.offset(self.directory_rvas[index])

    def offset(self, rva: int) -> int:
        """Convert a relative virtual address to a file offset."""
        for start, end, offset in self.extents:
            if start <= rva < end:
                return rva - start + offset
        if 0 <= rva < self.header_bytes:
            return rva
        raise PeError(f"broken: address {rva:#x} is in no section")


def parse_headers(view: View) -> Headers:
    """Read the headers of a PE32 or PE32+ image."""
    if view.data[:2] != b"MZ":
        raise PeError("not a PE file: no MZ signature")
    start = view.uint32(0x3C)
    file_header = view.unpack(_FILE_HEADER, start)
    signature, machine, section_count, timestamp, _, _, optional_bytes, _ = file_header
    if signature != 0x00004550:
        raise PeError("not a PE file: no PE signature")
    optional = start + _FILE_HEADER.size
    magic, linker = view.uint16(optional), view.uint16(optional + 2)
    if magic not in (0x10B, 0x20B):
        raise PeError(f"not a PE32 or PE32+ image: optional header magic {magic:#x}")
    is_64bit = magic == 0x20B
    sections, extents = _parse_sections(view, optional + optional_bytes, section_count)
    return Headers(
        machine=_MACHINES.get(machine, f"{machine:#06x}"),
        is_64bit=is_64bit,
        linker_version=(linker & 0xFF, linker >> 8),
        timestamp=timestamp,
        image_base=view.uint64(optional + 24) if is_64bit else view.uint32(optional + 28),
        header_bytes=view.uint32(optional + 60),
        sections=sections,
        extents=extents,
        directory_rvas=_parse_directory_rvas(view, optional + (108 if is_64bit else 92)),
    )


def _parse_directory_rvas(view: View, offset: int) -> tuple[int, ...]:
    # The loader follows the addresses and ignores the sizes, so only the addresses are kept.
    count = min(view.uint32(offset), 16)
    return view.unpack(_DIRECTORIES[count], offset + 4)[::2]


def _parse_sections(
    view: View, offset: int, count: int
) -> tuple[tuple[Section, ...], tuple[tuple[int, int, int], ...]]:
    if count > _SECTION_LIMIT:
        raise PeError(f"broken: {count} sections")
    sections, extents = [], []
    table = view.slice(offset, count * _SECTION_HEADER.size)
    for name, virtual, rva, raw, raw_offset, characteristics in _SECTION_HEADER.iter_unpack(table):
        virtual = virtual or raw  # as the loader does
        sections.append(Section(_read_section_name(name), virtual, characteristics))
        # The loader rounds the file offset down to a disk sector and maps whole pages.
        extents.append((rva, rva + min(raw, round_up_to_page(virtual)), raw_offset & ~0x1FF))
    return tuple(sections), tuple(extents)


def _read_section_name(raw: bytes) -> str:
    text = raw.rstrip(b"\0").decode("ascii", "replace")
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)


def round_up_to_page(size: int) -> int:
    """Round a size in bytes up to whole pages."""
    return -(-size // PAGE_BYTES) * PAGE_BYTES
