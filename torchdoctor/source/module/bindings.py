"""The assignments of a statement to names and attributes."""

import ast
from collections.abc import Iterator

from torchdoctor.core.record import record

# The nodes that assign.
BINDING_NODES = (
    ast.Assign,
    ast.AnnAssign,
    ast.NamedExpr,
    ast.AugAssign,
    ast.For,
    ast.AsyncFor,
    ast.comprehension,
    ast.withitem,
)


@record
class Binding:
    """An assignment to a name or attribute; `value` is None where it is unknown.

    `index` is the position in the value if the value is unpacked, and None otherwise.
    """

    statement: ast.AST
    value: ast.expr | None
    index: int | None = None


def find_assignments(node: ast.AST) -> Iterator[tuple[ast.expr, Binding]]:
    """Yield each name, attribute or item that a node assigns to, with what it is bound to."""
    match node:
        case ast.Assign(targets=[(ast.Name() | ast.Attribute()) as target], value=value):
            yield target, Binding(node, value)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _unpack(target, node, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield target, Binding(node, value)
        case ast.NamedExpr(target=target, value=value):
            yield target, Binding(node, value)
        case ast.AugAssign(target=target):
            yield target, Binding(node, None)
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            yield from _unpack(target, node, None)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield from _unpack(target, node, value)


def _unpack(
    target: ast.expr, statement: ast.AST, value: ast.expr | None
) -> Iterator[tuple[ast.expr, Binding]]:
    if isinstance(target, ast.Starred):
        target, value = target.value, None
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, Binding(statement, value)
        return
    parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else ()
    for index, element in enumerate(target.elts):
        if len(parts) == len(target.elts):
            yield from _unpack(element, statement, parts[index])
        elif isinstance(element, (ast.Tuple, ast.List, ast.Starred)):
            yield from _unpack(element, statement, None)
        else:
            yield element, Binding(statement, value, index)
