"""Read the names and ordinals that an image exports."""

from pathlib import Path
from struct import Struct

from torchdoctor.pe.headers import EXPORTS, Headers, parse_headers
from torchdoctor.pe.view import PeError, View, map_file

_DIRECTORY = Struct("<16x6I")  # ordinal base, functions, names, and the addresses of three tables
_EXPORT_LIMIT = 1 << 16  # ordinals are 16 bits wide
_EXPORT_TEXT_LIMIT = 1 << 26


def read_exports(path: Path) -> frozenset[str]:
    """Read what an image exports: each name, and "#12" for each ordinal."""
    with map_file(path) as view:
        return parse_exports(view)


def parse_exports(view: View) -> frozenset[str]:
    """Read the exports from the bytes of an image."""
    headers = parse_headers(view)
    offset = headers.directory_offset(EXPORTS)
    if offset is None:
        return frozenset()
    base, function_count, name_count, functions_rva, names_rva, _ = view.unpack(_DIRECTORY, offset)
    functions = _read_rvas(view, headers, functions_rva, function_count)
    exports = {f"#{base + index}" for index, rva in enumerate(functions) if rva}
    text_size = 0
    for rva in _read_rvas(view, headers, names_rva, name_count):
        name = view.name(headers.offset(rva))
        exports.add(name)
        text_size += len(name)
        if text_size > _EXPORT_TEXT_LIMIT:
            raise PeError("broken: export names without end")
    return frozenset(exports)


def _read_rvas(view: View, headers: Headers, rva: int, count: int) -> tuple[int, ...]:
    if count > _EXPORT_LIMIT:
        raise PeError(f"broken: {count} exports")
    return view.unpack(Struct(f"<{count}I"), headers.offset(rva)) if count else ()
