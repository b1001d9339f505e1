"""Which expressions are paths whose last part stands behind a backslash on Windows."""

import ast
from bisect import bisect_left
from collections.abc import Callable, Sequence

from torchdoctor.source.idioms.containers import find_added_values, find_held_values
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.nodes import find_default
from torchdoctor.source.module.parsed import ParsedModule

_PATHS = frozenset({"os.getcwd", "os.path.abspath", "os.path.realpath", "os.path.normpath"})
_LISTS_OF_PATHS = frozenset({"glob.glob", "glob.iglob"})
# Functions that return the items that they are given.
_PASSING_LISTS = frozenset(
    {"sorted", "list", "tuple", "reversed", "set", "natsort.natsorted", "tqdm.tqdm", "tqdm"}
)
_PATHLIB = frozenset({"pathlib.Path", "pathlib.PurePath"})
_PATHLIB_LISTS = frozenset({"glob", "rglob", "iterdir"})
# Methods of a text that leave its separators.
_PASSING_METHODS = frozenset({"strip", "rstrip", "lstrip", "lower", "upper"})
_MAX_DEPTH = 5
# A name that is bound more often is not followed.
_MOST_BINDINGS = 4


def is_native_path(module: ParsedModule, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether an expression is a text with a path that has the separators of the system.

    Everything that it may be bound to has to be one. `seen` has the names that led to it.
    """
    if len(seen) > _MAX_DEPTH:
        return False
    match node:
        case ast.Name(id=name):
            bindings = _find_earlier_bindings(module, node)
            if not bindings and (items := _find_items_of_lambda(module, node)) is not None:
                return name in seen or _has_native_paths(module, items, seen | {name})
            return name in seen or _all_of(bindings, lambda each: _binds_path(module, each, seen | {name}))
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=[]) if method in _PASSING_METHODS:
            return is_native_path(module, value, seen)
        case ast.Call(func=func, args=[argument]) if module.find_dotted_name(func) in ("str", "os.fspath"):
            return _is_pathlib(module, argument, seen)
        case ast.Call(func=func, args=[_, *_, last]) if module.find_dotted_name(func) == "os.path.join":
            return _is_file_name(module, last)
        case ast.Call(func=func, args=[ast.Constant(value="~")]):
            return module.find_dotted_name(func) == "os.path.expanduser"
        case ast.Call(func=func, args=[inner]) if module.find_dotted_name(func) == "os.path.dirname":
            return is_native_path(module, inner, seen)
        case ast.Call(func=func):
            return module.find_dotted_name(func) in _PATHS
        case ast.Subscript(value=value, slice=ast.Constant(value=int()) | ast.Name()):
            return _has_native_paths(module, value, seen)
    return False


def _all_of(bindings: Sequence[Binding], is_wanted: Callable[[Binding], bool]) -> bool:
    """Return whether there are bindings, not too many to follow, and all of them are wanted."""
    return 0 < len(bindings) <= _MOST_BINDINGS and all(map(is_wanted, bindings))


def _binds(
    binding: Binding, is_list: Callable[[ast.expr], bool], is_value: Callable[[ast.expr], bool]
) -> bool:
    """Return whether a name is bound to an item of a wanted list, or to a wanted value as a whole."""
    match binding.statement, binding.index:
        case ((ast.For(iter=items) | ast.comprehension(iter=items)), None):
            return is_list(items)
        case (
            (
                ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]))
                | ast.comprehension(iter=ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]))
            ),
            1,
        ):
            return is_list(items)
    if binding.index is not None:
        return False
    return binding.value is not None and is_value(binding.value)


def _binds_path(module: ParsedModule, binding: Binding, seen: frozenset[str]) -> bool:
    return _is_walked(module, binding, 0) or _binds(
        binding,
        lambda items: _has_native_paths(module, items, seen),
        lambda value: is_native_path(module, value, seen),
    )


def _is_walked(module: ParsedModule, binding: Binding, index: int) -> bool:
    """Return whether a name is bound to the item with this index of what `os.walk` yields."""
    match binding.statement:
        case ast.For(iter=ast.Call(func=func)):
            return binding.index == index and module.find_dotted_name(func) == "os.walk"
    return False


def _binds_paths(module: ParsedModule, binding: Binding, seen: frozenset[str]) -> bool:
    return (
        binding.index is None and binding.value is not None and _has_native_paths(module, binding.value, seen)
    )


def _has_native_paths(module: ParsedModule, node: ast.expr, seen: frozenset[str]) -> bool:
    """Return whether an expression is a list of native paths."""
    if len(seen) > _MAX_DEPTH:
        return False
    match node:
        case ast.Name(id=name):
            found = module.find_bindings(node) or _find_default(module, node)
            lists = [each for each in found if not _is_empty_list(each.value)]
            added = () if lists else find_added_values(module, node)
            return (
                name in seen
                or _all_of(lists, lambda each: _binds_paths(module, each, seen | {name}))
                or _are_paths(module, added, seen | {name})
            )
        case ast.Attribute(attr=name, value=ast.Name(id="self")):
            key = f"self.{name}"
            bindings = _find_attribute_bindings(module, node)
            held = () if bindings else find_held_values(module, node)
            return (
                key in seen
                or _all_of(bindings, lambda each: _binds_paths(module, each, seen | {key}))
                or _are_paths(module, [each for each in held if not _is_empty_list(each)], seen | {key})
            )
        case ast.Call(func=func, args=[first, *_]):
            dotted = module.find_dotted_name(func)
            return dotted in _LISTS_OF_PATHS or (
                dotted in _PASSING_LISTS and _has_native_paths(module, first, seen)
            )
        case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item):
            return is_native_path(module, item, seen)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return all(_has_native_paths(module, each, seen) for each in (left, right))
        case ast.BinOp(left=left, op=ast.Sub()):
            return _has_native_paths(module, left, seen)
    return False


def _find_attribute_bindings(module: ParsedModule, node: ast.Attribute) -> Sequence[Binding]:
    """Return the assignments of other values than an empty list to an attribute, in its class."""
    owner = module.find_class(node)
    return [
        binding
        for target, binding in module.attributes.get(node.attr, ())
        if module.find_class(target) is owner
        # What is appended to an empty list is mostly of the same kind as what is assigned elsewhere.
        and not _is_empty_list(binding.value)
    ]


def _is_empty_list(node: ast.expr | None) -> bool:
    return isinstance(node, ast.List) and not node.elts


def _are_paths(module: ParsedModule, values: Sequence[ast.expr], seen: frozenset[str]) -> bool:
    """Return whether all that is added to a list are native paths; nothing that is added says nothing."""
    return 0 < len(values) <= _MOST_BINDINGS and all(is_native_path(module, each, seen) for each in values)


def _find_earlier_bindings(module: ParsedModule, name: ast.Name) -> Sequence[Binding]:
    """Return what a name is bound to; in the loop that binds it, only by that and by what comes between."""
    inner = next((each for each in module.ancestors(name) if _binds_in_loop(each, name)), None)
    if inner is None:
        return module.find_bindings(name)
    bindings, lines = module.ask_once(_sort_bindings, module.find_scope(inner), name.id)
    return bindings[bisect_left(lines, _find_line(inner)) : bisect_left(lines, name.lineno)]


def _binds_in_loop(node: ast.AST, name: ast.Name) -> bool:
    """Return whether a node is a loop that binds the name, in the block of which the name stands."""
    if not isinstance(node, ast.For) or node.lineno >= name.lineno:
        return False
    return any(isinstance(each, ast.Name) and each.id == name.id for each in ast.walk(node.target))


def _sort_bindings(
    module: ParsedModule, scope: ast.AST, name: str
) -> tuple[Sequence[Binding], Sequence[int]]:
    """Return the assignments to a name in the order of their lines, and these."""
    bindings = sorted(module.bindings.get((scope, name), ()), key=lambda each: _find_line(each.statement))
    return bindings, [_find_line(each.statement) for each in bindings]


def _find_items_of_lambda(module: ParsedModule, name: ast.Name) -> ast.expr | None:
    """Return the list whose items `sorted`, `map` and the like give to a lambda for its only parameter."""
    function = module.find_scope(name)
    if not isinstance(function, ast.Lambda) or [each.arg for each in function.args.args] != [name.id]:
        return None
    parent = module.parents[function]
    match module.parents[parent] if isinstance(parent, ast.keyword) and parent.arg == "key" else parent:
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[first, items]) if first is function:
            return items
        case ast.Call(func=ast.Name(id="sorted" | "natsorted" | "min" | "max"), args=[items]):
            return items if items is not function else None
        case ast.Call(func=ast.Attribute(value=items, attr="sort"), args=[]):
            return items
    return None


def _find_line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _find_default(module: ParsedModule, name: ast.Name) -> Sequence[Binding]:
    """Return the default of a parameter as the only thing that it is bound to."""
    function = module.find_parameter(name)
    return () if function is None else (Binding(function, find_default(function, name.id)),)


def _is_pathlib(module: ParsedModule, node: ast.expr, seen: frozenset[str]) -> bool:
    """Return whether an expression is a path of pathlib with more than one part."""
    if len(seen) > _MAX_DEPTH:
        return False
    match node:
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_pathlib(module, left, seen) or _makes_pathlib(module, left)
        case ast.Name(id=name):
            bindings = module.find_bindings(node)
            return name in seen or _all_of(bindings, lambda each: _binds_pathlib(module, each, seen | {name}))
    return False


def _binds_pathlib(module: ParsedModule, binding: Binding, seen: frozenset[str]) -> bool:
    return _binds(
        binding,
        lambda items: _lists_pathlib(module, items, seen),
        lambda value: _is_pathlib(module, value, seen),
    )


def _lists_pathlib(module: ParsedModule, node: ast.expr, seen: frozenset[str]) -> bool:
    """Return whether an expression is a list of paths of pathlib that a folder was searched for."""
    match node:
        case ast.Call(func=ast.Attribute(value=folder, attr=method)) if method in _PATHLIB_LISTS:
            return _makes_pathlib(module, folder) or _is_pathlib(module, folder, seen)
        case ast.Call(func=func, args=[first, *_]) if module.find_dotted_name(func) in _PASSING_LISTS:
            return _lists_pathlib(module, first, seen)
    return False


def _makes_pathlib(module: ParsedModule, node: ast.expr) -> bool:
    value = module.find_only_value(node) if isinstance(node, ast.Name) else node
    return isinstance(value, ast.Call) and module.find_dotted_name(value.func) in _PATHLIB


def _is_file_name(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether an expression is the name of a file as the system lists it, without a folder."""
    bindings = module.find_bindings(node) if isinstance(node, ast.Name) else ()
    return bool(bindings) and all(_binds_file_name(module, each) for each in bindings)


def _binds_file_name(module: ParsedModule, binding: Binding) -> bool:
    return _binds(binding, lambda items: _lists_names(module, items), lambda value: False)


def _lists_names(module: ParsedModule, node: ast.expr, depth: int = 0) -> bool:
    match node:
        case ast.Call(func=func, args=arguments):
            name = module.find_dotted_name(func)
            if name in _PASSING_LISTS and arguments and depth < _MAX_DEPTH:
                return _lists_names(module, arguments[0], depth + 1)
            return name == "os.listdir"
        case ast.Name():
            bindings = module.find_bindings(node)
            if bindings and all(any(_is_walked(module, each, at) for at in (1, 2)) for each in bindings):
                return True
            value = module.find_only_value(node)
            return value is not None and depth < _MAX_DEPTH and _lists_names(module, value, depth + 1)
    return False
