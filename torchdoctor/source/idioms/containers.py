"""What a program puts into its lists and dictionaries, item by item."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.source.module.parsed import ParsedModule

_ADDING_METHODS = ("append", "extend", "insert")


def find_added_values(module: ParsedModule, name: ast.Name) -> Sequence[ast.expr]:
    """Return what `append`, `extend`, `insert` and `+=` add to the list of a name, in its scope."""
    return module.ask_once(_index_additions).get((module.find_scope(name), name.id), ())


def find_held_values(module: ParsedModule, node: ast.Attribute | ast.Subscript) -> Sequence[ast.expr]:
    """Return what an attribute of `self` or an item of a dictionary can be, and what is added to it."""
    if isinstance(node, ast.Attribute):
        return module.ask_once(_index_attributes).get((module.find_class(node), node.attr), ())
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(node.value, ast.Name):
        return ()
    pairs = [
        pair
        for binding in module.find_bindings(node.value)
        if isinstance(binding.value, ast.Dict) and binding.index is None
        for pair in zip(binding.value.keys, binding.value.values, strict=True)
    ]
    scopes = {module.find_binding_scope(node.value), module.tree}
    index = module.ask_once(_index_items)
    pairs += [pair for scope in scopes for pair in index.get((scope, node.value.id), ())]
    return [
        value
        for each, value in pairs
        if not isinstance(key, str) or (isinstance(each, ast.Constant) and each.value == key)
    ]


def _index_additions(module: ParsedModule) -> Mapping[tuple[ast.AST, str], Sequence[ast.expr]]:
    """Return what is added to each list, by the scope in which it is added, and the name."""
    found: dict[tuple[ast.AST, str], list[ast.expr]] = defaultdict(list)
    for target, value in module.ask_once(_list_additions):
        if isinstance(target, ast.Name):
            found[(module.find_scope(target), target.id)].append(value)
    return found


def _index_attributes(module: ParsedModule) -> Mapping[tuple[ast.AST | None, str], Sequence[ast.expr]]:
    """Return what the attributes of `self` are assigned, and what is added to them, by class and name."""
    found: dict[tuple[ast.AST | None, str], list[ast.expr]] = defaultdict(list)
    targets = [pair for pairs in module.attributes.values() for pair in pairs]
    for target, binding in targets:
        if binding.value is not None and binding.index is None and _is_of_self(target):
            found[(module.find_class(target), target.attr)].append(binding.value)
    for added_to, value in module.ask_once(_list_additions):
        if isinstance(added_to, ast.Attribute) and _is_of_self(added_to):
            found[(module.find_class(added_to), added_to.attr)].append(value)
    return found


def _is_of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _list_additions(module: ParsedModule) -> list[tuple[ast.expr, ast.expr]]:
    """Return each list that something is added to, and what that is."""
    return list(_find_additions(module))


def _find_additions(module: ParsedModule) -> Iterator[tuple[ast.expr, ast.expr]]:
    for method in _ADDING_METHODS:
        for call in module.calls_by_name.get(method, ()):
            match call:
                case ast.Call(func=ast.Attribute(value=target), args=[*_, value]):
                    yield target, value
    for node in module.nodes.get(ast.AugAssign, ()):
        match node:
            case ast.AugAssign(target=target, op=ast.Add(), value=value):
                yield target, value


def _index_items(
    module: ParsedModule,
) -> Mapping[tuple[ast.AST, str], Sequence[tuple[ast.expr | None, ast.expr]]]:
    """Return the keys and values of `name[key] = value`, by the scope of the name, and the name."""
    found: dict[tuple[ast.AST, str], list[tuple[ast.expr | None, ast.expr]]] = defaultdict(list)
    for node in module.nodes.get(ast.Assign, ()):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name() as name, slice=key)], value=value):
                found[(module.find_binding_scope(name), name.id)].append((key, value))
    return found
