"""Read the DLLs that an image imports, and the symbols that it imports from one of them."""

from collections.abc import Iterator
from pathlib import Path
from struct import Struct

from torchdoctor.core.record import record
from torchdoctor.pe.headers import DELAYED_IMPORTS, IMPORTS, Headers, parse_headers
from torchdoctor.pe.view import PeError, View, map_file

_DESCRIPTOR = Struct("<5I")  # lookup table, timestamp, forwarder chain, name, address table
_DELAYED_DESCRIPTOR = Struct("<8I")  # attributes, name, module handle, address table, name table, ...
_DLL_LIMIT = 4096
_DLL_NAME_LIMIT_BYTES = 260  # MAX_PATH
_SYMBOL_LIMIT = 1 << 18
_SYMBOL_TEXT_LIMIT = 1 << 26


@record
class Import:
    """A DLL that an image imports: needed to load it or, if `delayed`, at the first call into the DLL."""

    dll: str
    delayed: bool


@record
class _Table:
    """A DLL in an import table, and the address of the list of imported symbols."""

    dll: str
    delayed: bool
    thunks_rva: int


def parse_imports(view: View, headers: Headers) -> tuple[Import, ...]:
    """Read the DLL names of both import tables; the imported symbols are not read."""
    return tuple(Import(table.dll, table.delayed) for table in _read_tables(view, headers))


def read_import_symbols(path: Path, dll: str) -> tuple[str, ...]:
    """Read the symbols that an image imports from one DLL (in any case); an ordinal is "#12"."""
    with map_file(path) as view:
        return parse_import_symbols(view, dll)


def parse_import_symbols(view: View, dll: str) -> tuple[str, ...]:
    """Read all symbols that an image imports from one DLL; some images have more than 8192."""
    headers = parse_headers(view)
    symbols: list[str] = []
    text_size = 0
    for table in _read_tables(view, headers):
        if table.dll.lower() != dll.lower():
            continue
        for symbol in _read_symbols(view, headers, table.thunks_rva):
            symbols.append(symbol)
            text_size += len(symbol)
            if len(symbols) > _SYMBOL_LIMIT or text_size > _SYMBOL_TEXT_LIMIT:
                raise PeError(f"broken: more than {len(symbols) - 1} symbols imported from {table.dll}")
    return tuple(symbols)


def _read_tables(view: View, headers: Headers) -> Iterator[_Table]:
    offset = headers.directory_offset(IMPORTS)
    if offset is not None:
        for lookup, _, _, name, addresses in _read_descriptors(view, _DESCRIPTOR, offset):
            if not name or not addresses:
                break  # the loader stops here too
            yield _Table(_read_dll_name(view, headers, name), False, lookup or addresses)
    offset = headers.directory_offset(DELAYED_IMPORTS)
    if offset is not None:
        for attributes, name, _, _, names, *_ in _read_descriptors(view, _DELAYED_DESCRIPTOR, offset):
            if not name:
                break
            # Descriptors of Visual C++ 6 hold addresses that include the image base.
            base = 0 if attributes & 1 else headers.image_base
            yield _Table(_read_dll_name(view, headers, name - base), True, names - base)


def _read_dll_name(view: View, headers: Headers, rva: int) -> str:
    return view.name(headers.offset(rva), _DLL_NAME_LIMIT_BYTES)


def _read_descriptors(view: View, layout: Struct, offset: int) -> Iterator[tuple[int, ...]]:
    for number in range(_DLL_LIMIT):
        yield view.unpack(layout, offset + number * layout.size)
    raise PeError(f"broken: more than {_DLL_LIMIT} imported DLLs")


def _read_symbols(view: View, headers: Headers, rva: int) -> Iterator[str]:
    if headers.is_64bit:
        read_thunk, thunk_bytes, ordinal_flag = view.uint64, 8, 1 << 63
    else:
        read_thunk, thunk_bytes, ordinal_flag = view.uint32, 4, 1 << 31
    offset = headers.offset(rva)
    while thunk := read_thunk(offset):
        # The name follows a 16-bit hint.
        yield f"#{thunk & 0xFFFF}" if thunk & ordinal_flag else view.name(headers.offset(thunk) + 2)
        offset += thunk_bytes
