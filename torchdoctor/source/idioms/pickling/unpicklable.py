"""The values that cannot be sent to a spawned process: lambdas, local functions, and what keeps one."""

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePath

from torchdoctor.source.idioms.containers import find_added_values, find_held_values
from torchdoctor.source.idioms.loading.datasets import (
    find_called_method,
    find_constructor_methods,
    find_stored_values,
    has_custom_pickling,
    is_dropped_later,
)
from torchdoctor.source.idioms.loading.loaders import is_dataset
from torchdoctor.source.idioms.pickling.generators import is_generator
from torchdoctor.source.idioms.pickling.local_functions import find_local_function
from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.nodes import Function, find_default, find_items
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
            held = module.ask_once(find_held_values, node) or _find_items_of_list(module, node)
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


def _find_items_of_list(module: ParsedModule, node: ast.expr) -> Sequence[ast.expr]:
    """Return what an item of a list can be: what it is made of, and what is added to it."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return ()
    made = [each.value for each in module.find_bindings(node.value) if each.index is None]
    items = [item for value in made if isinstance(value, ast.List) for item in value.elts]
    return [*items, *find_added_values(module, node.value)]


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
    yield from _place(place, module, find_unpicklable(module, value, depth + 1))


def _place(
    place: ast.AST, module: ParsedModule, found: Iterator[tuple[ast.AST, str]]
) -> Iterator[tuple[ast.AST, str]]:
    """Yield a place for the first of what was found in another file, with the line there."""
    for node, what in found:
        if (line := getattr(node, "lineno", None)) is not None and module.place is not None:
            written = what.rstrip(",")
            path = PurePath(module.place.path)
            yield place, written if written.endswith(")") else f"{written} ({path.name}, line {line})"
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
        yield from _find_in_object(module, local, depth + 1)
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
        for value in owner.find_returned_values(definition):
            yield from find_elsewhere(call, owner, value, depth)
    elif not has_custom_pickling(owner, definition):
        yield from _place(call, owner, _find_in_object(owner, definition, depth + 2))


def _find_in_object(module: ParsedModule, made: ast.ClassDef, depth: int) -> Iterator[tuple[ast.AST, str]]:
    """Yield what an instance of a class keeps from its constructor that cannot be sent."""
    code = find_constructor_methods(module, made)
    for name, value in find_stored_values(code):
        if is_generator(module, value) and not is_dropped_later(code, name):
            yield value, "a generator"
        yield from find_unpicklable(module, value, depth)
