"""The open files, locks and connections that cannot be sent to a spawned process."""

import ast

from torchdoctor.source.idioms.loading.datasets import find_called_method
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 6
# The description of objects that hold an operating system resource, by the call that creates them.
_HANDLES = {
    "h5py.File": "h5py.File",
    "lmdb.open": "lmdb environment",
    "lmdb.Environment": "lmdb environment",
    "open": "file",
    "io.open": "file",
    "gzip.open": "gzip file",
    "bz2.open": "bz2 file",
    "zipfile.ZipFile": "zipfile.ZipFile",
    "tarfile.open": "tarfile.TarFile",
    "tarfile.TarFile": "tarfile.TarFile",
    "sqlite3.connect": "sqlite3 connection",
    "cv2.VideoCapture": "cv2.VideoCapture",
    "threading.Lock": "threading.Lock",
    "threading.RLock": "threading.RLock",
    "rasterio.open": "rasterio dataset",
    "netCDF4.Dataset": "netCDF4.Dataset",
    "tables.open_file": "tables.File",
    "pymongo.MongoClient": "pymongo.MongoClient",
    "multiprocessing.Manager": "multiprocessing.Manager",
}
# Those that are made, and not opened.
_MADE = frozenset({"threading.Lock", "threading.RLock", "multiprocessing.Manager"})
# Those that cannot be pickled once they are closed either; tried with each.
_UNPICKLABLE_WHEN_CLOSED = frozenset(
    {
        "h5py.File",
        "part of an h5py.File",
        "lmdb environment",
        "file",
        "gzip file",
        "zipfile.ZipFile",
        "tarfile.TarFile",
        "sqlite3 connection",
        "netCDF4.Dataset",
    }
)


def find_handle(module: ParsedModule, value: ast.expr, depth: int = 0) -> str | None:
    """Return a description of the open handle that a value is or belongs to, or None.

    `h5py.File(path)["images"]` is "part of an h5py.File".
    """
    match value:
        case ast.Call():
            return _find_handle_of_call(module, value, depth)
        case ast.IfExp(body=body, orelse=orelse):
            return find_handle(module, body, depth) or find_handle(module, orelse, depth)
        case ast.Subscript(value=inner, slice=key) if not isinstance(key, (ast.Slice, ast.Tuple)):
            return _part_of(find_handle(module, inner, depth))
        case ast.Name() if depth < _MAX_DEPTH:
            bindings = module.find_bindings(value)
            if (
                len(bindings) == 1
                and bindings[0].value is not None
                and not isinstance(bindings[0].statement, ast.withitem)
            ):
                return find_handle(module, bindings[0].value, depth + 1)
        case ast.ListComp(elt=inner) | ast.DictComp(value=inner):
            return find_handle(module, inner, depth + 1)
    return None


def describe_handle(handle: str, *, is_closed: bool = False) -> str:
    """Return the description of a handle with its article and state."""
    if handle in _MADE:
        return f"a {handle}"
    return f"a closed {handle}" if is_closed else f"an open {handle}"


def can_be_pickled_closed(handle: str) -> bool:
    """Return whether a handle of this description can perhaps be pickled once it is closed."""
    return handle not in _UNPICKLABLE_WHEN_CLOSED


def is_closed(module: ParsedModule, value: ast.expr) -> bool:
    """Return whether a value is a name whose `close()` the function around it calls."""
    function = module.find_function(value) if isinstance(value, ast.Name) else None
    return function is not None and any(
        isinstance(node, ast.Call) and ast.unparse(node.func) == f"{ast.unparse(value)}.close"
        for node in ast.walk(function)
    )


def _find_handle_of_call(module: ParsedModule, call: ast.Call, depth: int) -> str | None:
    """Return a description of the open handle that the result of a call is or belongs to, or None."""
    name = module.find_dotted_name(call.func)
    if name in _HANDLES or depth > _MAX_DEPTH:
        return _HANDLES.get(name)
    match call.func:
        case ast.Attribute(value=inner, attr="get" | "require_dataset"):
            return _part_of(find_handle(module, inner, depth + 1))
        case ast.Attribute(value=inner, attr="begin"):
            found = find_handle(module, inner, depth + 1)
            return "lmdb transaction" if found == "lmdb environment" else None
        case _:
            function = module.functions.get(name) or find_called_method(module, call)
    values = module.find_returned_values(function) if function is not None else ()
    return next((found for value in values if (found := find_handle(module, value, depth + 1))), None)


def _part_of(handle: str | None) -> str | None:
    """Return the description of an item of a handle, or None if an item does not keep the file open."""
    return f"part of an {handle}" if handle == "h5py.File" else None
