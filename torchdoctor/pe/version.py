"""Read the file version in the version resource of an image."""

from pathlib import Path

from torchdoctor.pe.headers import RESOURCES, parse_headers
from torchdoctor.pe.view import PeError, View, map_file

_RT_VERSION = 16
_IS_DIRECTORY = 0x80000000
_ENTRY_LIMIT = 4096
# VS_VERSIONINFO: three 16-bit numbers, the key "VS_VERSION_INFO" in UTF-16, padding to 4 bytes.
_FIXED_INFO_OFFSET = 40
_FIXED_INFO_SIGNATURE = 0xFEEF04BD


def read_file_version(path: Path) -> str | None:
    """Read the file version ("14.44.35211.0"), or None if the image has none."""
    with map_file(path) as view:
        return parse_file_version(view)


def parse_file_version(view: View) -> str | None:
    """Read the file version from the bytes of an image."""
    headers = parse_headers(view)
    root = headers.directory_offset(RESOURCES)
    if root is None:
        return None
    entry = _find_entry(view, root, _RT_VERSION)
    # There are always three levels: type, name, language. A loop over them ends even in a broken file.
    for _ in range(2):
        if entry is None or not entry & _IS_DIRECTORY:
            return None
        entry = _find_entry(view, root + (entry & ~_IS_DIRECTORY), None)
    if entry is None or entry & _IS_DIRECTORY:
        return None
    return _parse_fixed_info(view, headers.offset(view.uint32(root + entry)))


def _find_entry(view: View, directory: int, identifier: int | None) -> int | None:
    """Find the entry with this identifier, or the first one."""
    count = view.uint16(directory + 12) + view.uint16(directory + 14)
    if count > _ENTRY_LIMIT:
        raise PeError(f"broken: {count} resource entries")
    for offset in range(directory + 16, directory + 16 + 8 * count, 8):
        if identifier is None or view.uint32(offset) == identifier:
            return view.uint32(offset + 4)
    return None


def _parse_fixed_info(view: View, offset: int) -> str | None:
    fixed = offset + _FIXED_INFO_OFFSET
    if view.uint32(fixed) != _FIXED_INFO_SIGNATURE:
        return None
    high, low = view.uint32(fixed + 8), view.uint32(fixed + 12)
    return f"{high >> 16}.{high & 0xFFFF}.{low >> 16}.{low & 0xFFFF}"
