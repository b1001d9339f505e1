"""The values that cannot be sent to a spawned process: lambdas, local functions and open handles."""

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePath

from torchdoctor.source.idioms.containers import find_added_values, find_held_values
from torchdoctor.source.idioms.datasets import (
    find_called_method,
    find_constructor_methods,
    find_stored_values,
    has_custom_pickling,
)
from torchdoctor.source.idioms.loaders import is_dataset
from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_default, find_items
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 6
# So many of the calls of a function, and of the items of a dictionary, are followed.
_MOST_VALUES = 8
_MOST_HELD = 20
# Calls whose result keeps a function argument; `transforms.<Name>` counts as well.
_KEEPING_CALLS = frozenset(
    {
        "Compose",
        "Lambda",
        "defaultdict",
        "partial",
        "RandomApply",
        "RandomChoice",
        "RandomOrder",
        "Sequential",
        "dict",
        "list",
    }
)
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
# Calls whose result reads from their arguments, and is not sent without them.
_READING_CALLS = frozenset({"iter", "map", "filter", "zip", "enumerate", "reversed"})
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
# Libraries and wrapper classes that can pickle lambdas.
_OTHER_PICKLERS = ("dill", "cloudpickle", "CloudpickleWrapper", "CloudPickleWrapper")


def find_unpicklable(
    module: ParsedModule, node: ast.expr | None, depth: int = 0
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the lambdas and local functions that a value is or keeps, each with a description."""
    if node is None or depth > _MAX_DEPTH:
        return
    match node:
        case ast.Lambda():
            yield node, "a lambda"
        case ast.Name():
            yield from _find_in_name(module, node, depth)
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Dict(values=items):
            for item in items:
                yield from find_unpicklable(module, item, depth + 1)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from find_unpicklable(module, left, depth)
            yield from find_unpicklable(module, right, depth)
        case ast.Starred(value=item) | ast.ListComp(elt=item):
            yield from find_unpicklable(module, item, depth)
        case ast.Attribute(value=ast.Name(id="self")) | ast.Subscript(value=ast.Name()):
            held = module.ask_once(find_held_values, node)
            key = (module.find_class(node), module.find_scope(node.value), ast.unparse(node))
            yield from _find_in_variable(module, key, held[:_MOST_HELD], depth)
            if isinstance(node, ast.Subscript) and not held:
                yield from _find_in_imported_item(module, node, depth)
        case ast.IfExp(body=body, orelse=orelse):
            yield from find_unpicklable(module, body, depth)
            yield from find_unpicklable(module, orelse, depth)
        case ast.BoolOp(values=values):
            for value in values:
                yield from find_unpicklable(module, value, depth + 1)
        case ast.Call():
            yield from _find_in_call(module, node, depth)


def _find_in_name(module: ParsedModule, name: ast.Name, depth: int) -> Iterator[tuple[ast.AST, str]]:
    if (local := find_local_function(module, name)) is not None:
        yield name, f"{local.name}(), a function defined inside a function,"
        return
    function = module.functions.get(name.id)
    if function is not None and not module.find_bindings(name) and is_guarded(module, function):
        yield name, f"{name.id}(), a function defined under the main guard,"
        return
    bindings = module.find_bindings(name)
    values = [each.value for each in bindings if each.index is None and each.value is not name]
    values += find_added_values(module, name)
    if (function := module.find_parameter(name)) is not None:
        values += [find_default(function, name.id), *_find_passed_values(module, function, name.id)]
    elif not bindings and module.place is not None:
        found = module.place.find_value(module.find_dotted_name(name))
        yield from find_elsewhere(name, *found, depth) if found is not None else ()
    yield from _find_in_variable(module, (module.find_scope(name), name.id), values, depth)


def _find_passed_values(module: ParsedModule, function: Function, name: str) -> Iterator[ast.expr | None]:
    """Yield what calls pass for a parameter; what a constructor is given is found where an object is made."""
    if function.name != "__init__":
        for call in find_calls_of(module, function)[:_MOST_VALUES]:
            yield find_passed_argument(module, call, function, name)


def _find_in_variable(
    module: ParsedModule, key: object, values: Sequence[ast.expr | None], depth: int
) -> Sequence[tuple[ast.AST, str]]:
    """Return the same for all values of a variable; where it is made of itself, that adds nothing."""
    known, asked = module.ask_once(_make_memory)
    if key in asked:
        return ()
    if (key, depth) not in known:
        asked.add(key)
        try:
            found = (each for value in values for each in find_unpicklable(module, value, depth + 1))
            known[(key, depth)] = tuple(dict.fromkeys(found))
        finally:
            asked.discard(key)
    return known[(key, depth)]


def _make_memory(module: ParsedModule) -> tuple[dict[object, Sequence[tuple[ast.AST, str]]], set[object]]:
    """Return the answers for variables of a module, and the variables that are being asked about."""
    return {}, set()


def find_elsewhere(
    place: ast.AST, module: ParsedModule, value: ast.expr, depth: int
) -> Iterator[tuple[ast.AST, str]]:
    """Yield a place of this module, if a value in another file of the project cannot be sent."""
    for node, what in find_unpicklable(module, value, depth + 1):
        if (line := getattr(node, "lineno", None)) is not None and module.place is not None:
            written = what.rstrip(",")
            is_placed = written.endswith(")")
            path = PurePath(module.place.path)
            yield place, written if is_placed else f"{written} ({path.name}, line {line})"
            return


def _find_in_imported_item(
    module: ParsedModule, item: ast.Subscript, depth: int
) -> Iterator[tuple[ast.AST, str]]:
    """Yield an item of a dictionary of another file, if one of the values that it can be cannot be sent."""
    owner, table = module.find_imported_value(module.find_dotted_name(item.value)) or (module, None)
    if not isinstance(table, ast.Dict):
        return
    key = item.slice.value if isinstance(item.slice, ast.Constant) else None
    values = find_items(table, key) if isinstance(key, str) else table.values
    found = (each for value in values[:_MOST_HELD] for each in find_elsewhere(item, owner, value, depth))
    yield from islice(found, 1)


def is_guarded(module: ParsedModule, definition: ast.AST) -> bool:
    """Return whether a definition is made only where a script runs, and not where a worker imports it."""
    return module.ask_around(_keeps_from_workers, definition) is True


def _keeps_from_workers(module: ParsedModule, parent: ast.AST, child: ast.AST) -> bool | None:
    is_guard = (
        isinstance(parent, ast.If) and child in parent.body and main_verdict(module, parent.test) is False
    )
    return True if is_guard else None


def find_local_function(module: ParsedModule, name: ast.Name) -> Function | None:
    """Return the function that a name refers to if it is defined inside another function."""
    scope: ast.AST = module.find_scope(name)
    while scope is not module.tree:
        if isinstance(scope, FUNCTIONS):
            for node in module.local_functions.get(scope, ()):
                if node.name == name.id:
                    return node
        scope = module.find_scope(scope)
    return None


def _find_in_call(module: ParsedModule, call: ast.Call, depth: int) -> Iterator[tuple[ast.AST, str]]:
    name = module.find_dotted_name(call.func)
    last = name.rpartition(".")[2]
    if any(pickler in name for pickler in _OTHER_PICKLERS):
        return
    if last in _KEEPING_CALLS or "transforms." in name or name.startswith("albumentations."):
        for value in [*call.args, *(each.value for each in call.keywords)]:
            yield from find_unpicklable(module, value, depth + 1)
        return
    if (local := module.classes.get(name)) is not None and not has_custom_pickling(module, local):
        for _, value in find_stored_values(find_constructor_methods(module, local)):
            yield from find_unpicklable(module, value, depth + 1)
        return
    function = module.functions.get(name) or find_called_method(module, call)
    if function is None:
        yield from _find_in_imported_call(module, call, name, depth)
        return
    for returned in module.find_returned_values(function):
        yield from find_unpicklable(module, returned, depth + 1)


def _find_in_imported_call(
    module: ParsedModule, call: ast.Call, name: str, depth: int
) -> Iterator[tuple[ast.AST, str]]:
    """Yield a call, if what a function or class of another file makes cannot be sent."""
    maker = module.find_class(call)
    # A dataset makes many objects; other files are read for what loaders and datasets are given, and for
    # functions that a dataset keeps the result of.
    is_object = name.rpartition(".")[2][:1].isupper()
    is_made_by_dataset = is_object and maker is not None and module.ask_once(is_dataset, maker)
    found = None if is_made_by_dataset else module.find_imported(name)
    if found is None:
        return
    owner, definition = found
    if not isinstance(definition, ast.ClassDef):
        values: Sequence[ast.expr] = owner.find_returned_values(definition)
    elif has_custom_pickling(owner, definition):
        return
    else:
        values = [value for _, value in find_stored_values(find_constructor_methods(owner, definition))]
    for value in values:
        yield from find_elsewhere(call, owner, value, depth)


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


def is_generator(module: ParsedModule, value: ast.expr | None, depth: int = 0) -> bool:
    """Return whether a value is a generator, or reads from one: also what a generator function returns."""
    match value:
        case ast.GeneratorExp():
            return True
        case ast.Name() if depth < _MAX_DEPTH and module.find_parameter(value) is None:
            return is_generator(module, module.find_only_value(value), depth + 1)
        case ast.Call(func=func, args=arguments) if depth < _MAX_DEPTH:
            name = module.find_dotted_name(func)
            if name in _READING_CALLS or name.startswith("itertools."):
                return any(is_generator(module, each, depth + 1) for each in arguments)
            return _runs_generator_function(module, value, name)
    return False


def _runs_generator_function(module: ParsedModule, call: ast.Call, name: str) -> bool:
    owner, function = module, module.functions.get(name) or find_called_method(module, call)
    if function is None and isinstance(call.func, ast.Name):
        function = find_local_function(module, call.func)
    if function is None and (found := module.find_imported(name)) is not None:
        owner, definition = found
        function = definition if isinstance(definition, FUNCTIONS) else None
    # What a decorator makes of it is not known: `@contextmanager`.
    is_known = function is not None and not set(map(ast.unparse, function.decorator_list)) - {"staticmethod"}
    return is_known and function in owner.ask_once(_list_generator_functions)


def _list_generator_functions(module: ParsedModule) -> frozenset[ast.AST]:
    nodes = [*module.nodes.get(ast.Yield, ()), *module.nodes.get(ast.YieldFrom, ())]
    return frozenset(module.find_scope(each) for each in nodes)


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
