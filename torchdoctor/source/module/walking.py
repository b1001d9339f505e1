"""The nodes of a module in source order, and the parent of each."""

import ast
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

# Operators and contexts are not indexed: the parser uses one shared node for each kind of them.
_INDEXED_KINDS = (
    ast.expr,
    ast.stmt,
    ast.keyword,
    ast.arguments,
    ast.arg,
    ast.withitem,
    ast.comprehension,
    ast.excepthandler,
    ast.match_case,
    ast.pattern,
    ast.alias,
)
# Fields that never have an indexed node; all other values of fields are nodes, lists of them, or None.
_FIELDS_WITHOUT_NODES = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "type_comment", "type_params", "level", "is_async", "simple"}
    | {"conversion", "asname", "module", "kind", "rest", "kwd_attrs", "str"}
)
_KINDS_WITHOUT_NODES = (ast.Constant, ast.MatchSingleton, ast.Global, ast.Nonlocal)
# What statements are in; nothing else has them in it.
_BLOCK_KINDS = frozenset(
    kind
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, (ast.stmt, ast.excepthandler, ast.match_case))
)
_KINDS_WITH_NAMES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.alias,
    ast.MatchAs,
    ast.MatchStar,
)


def _make_field_getter(kind: type[ast.AST]) -> Callable[[ast.AST], Any] | None:
    """Return a function that returns the fields of a node that may be nodes or lists of them, last first.

    It returns a tuple, or the field itself if there is only one. Return None for nodes without such fields.
    """
    without = _FIELDS_WITHOUT_NODES | ({"name"} if kind in _KINDS_WITH_NAMES else set())
    names = [name for name in reversed(kind._fields) if name not in without]
    return attrgetter(*names) if names and kind not in _KINDS_WITHOUT_NODES else None


_FIELD_GETTERS: Mapping[type[ast.AST], Callable[[ast.AST], Any] | None] = {
    kind: _make_field_getter(kind)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, _INDEXED_KINDS)
}


def walk(tree: ast.Module) -> tuple[Sequence[ast.AST], Mapping[ast.AST, ast.AST]]:
    """Return the nodes except the module, in source order, and the parent of each.

    This is most of the time that a file takes, so a list of nodes is handled as a whole.
    """
    order: list[ast.AST] = []
    parents: dict[Any, ast.AST] = dict.fromkeys(tree.body, tree)
    stack: list[Any] = tree.body[::-1]
    pop, push, add, getters = stack.pop, stack.append, order.append, _FIELD_GETTERS
    while stack:
        node = pop()
        if node is None:
            continue
        add(node)
        get_fields = getters[node.__class__]
        if get_fields is None:
            continue
        values = get_fields(node)
        for value in values if values.__class__ is tuple else (values,):
            if value.__class__ is list:
                if value:
                    parents.update(dict.fromkeys(value, node))
                    stack += value[::-1]
            elif value is not None:
                parents[value] = node
                push(value)
    # `{**other}` has no key, and a parameter may have no default.
    parents.pop(None, None)
    return order, parents


def is_deeper(
    tree: ast.Module, nodes: Sequence[ast.AST], parents: Mapping[ast.AST, ast.AST], most: int
) -> bool:
    """Return whether a module has more levels below it than `most`."""
    # The nodes between two statements are expressions of the first one, or of one around it, and there are no
    # more levels in them than nodes. Only where that is not enough, each node is looked at.
    starts = [index for index, node in enumerate(nodes) if node.__class__ in _BLOCK_KINDS]
    levels: dict[ast.AST, int] = {tree: 0}
    for index, end in zip(starts, (*starts[1:], len(nodes)), strict=False):
        node = nodes[index]
        level = levels[node] = levels[parents[node]] + 1
        if level + end - index > most:
            return find_depth(tree, nodes, parents) > most
    return False


def find_depth(tree: ast.Module, nodes: Sequence[ast.AST], parents: Mapping[ast.AST, ast.AST]) -> int:
    """Return the number of levels below a module; an `elif` is on the level of its `if`."""
    levels: dict[ast.AST, int] = {tree: 0}
    for node in nodes:
        # What has no children is one level below its parent.
        if _FIELD_GETTERS[node.__class__] is not None:
            parent = parents[node]
            is_elif = isinstance(node, ast.If) and isinstance(parent, ast.If) and parent.orelse == [node]
            levels[node] = levels[parent] + (not is_elif)
    deepest = max(levels.values())
    ends = (node for node, level in levels.items() if level == deepest)
    return deepest + any(child in parents for node in ends for child in ast.iter_child_nodes(node))
