"""Which expressions are CUDA devices, and what an attribute has where it is used."""

import ast
from collections.abc import Iterator, Sequence

from torchdoctor.source.module.arguments import find_definition
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import FUNCTIONS
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 6


def is_cuda_device(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> bool:
    """Return whether an expression can be a CUDA device, as far as this file shows."""
    if node is None or depth > _MAX_DEPTH:
        return False
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return is_cuda_device(module, body, depth + 1) or is_cuda_device(module, orelse, depth + 1)
        case ast.Call(func=func, args=[first, *_]) if module.find_dotted_name(func) == "torch.device":
            return is_cuda_device(module, first, depth + 1)
        case ast.Call(func=func):
            if module.find_dotted_name(func) == "torch.cuda.current_device":
                return True
            returned = find_returned_values(module, node)
            return any(is_cuda_device(owner, value, depth + 1) for owner, value in returned)
        case ast.JoinedStr(values=[ast.Constant(value=str() as start), *_]):
            return start.startswith("cuda")
        case ast.BinOp(left=left):
            return is_cuda_device(module, left, depth + 1)
        case ast.Name():
            values = [binding.value for binding in module.find_bindings(node) if binding.index is None]
            if any(is_cuda_device(module, value, depth + 1) for value in values):
                return True
        case ast.Attribute():
            if any(is_cuda_device(module, value, depth + 1) for value in find_attribute_values(module, node)):
                return True
    return any(
        isinstance(value, str) and value.startswith("cuda")
        for value in find_possible_values(module, node, depth)
    )


def find_returned_values(module: ParsedModule, call: ast.Call) -> Iterator[tuple[ParsedModule, ast.expr]]:
    """Yield what a function of this or another file returns, each with the module of the function."""
    owner, function = find_definition(module, module.find_dotted_name(call.func)) or (module, None)
    if isinstance(function, FUNCTIONS):
        yield from ((owner, value) for value in owner.find_returned_values(function))


def find_attribute_values(module: ParsedModule, node: ast.Attribute) -> Iterator[ast.expr | None]:
    """Yield the values that the same class assigns to an attribute."""
    settled = find_last_assignment(module, node)
    for target, binding in _find_assignments(module, node):
        if settled is None or is_between(module, settled, target, node):
            yield binding.value


def _find_assignments(module: ParsedModule, node: ast.Attribute) -> Iterator[tuple[ast.Attribute, Binding]]:
    owner, name = module.find_class(node), ast.unparse(node.value)
    for target, binding in module.attributes.get(node.attr, ()):
        if ast.unparse(target.value) == name and module.find_class(target) is owner:
            yield target, binding


def find_last_assignment(module: ParsedModule, node: ast.Attribute) -> ast.stmt | None:
    """Return the last statement that assigns an attribute on every way to its use in the same function."""
    function = module.find_function(node)
    blocks: list[tuple[Sequence[ast.stmt], ast.AST]] = []
    child: ast.AST = node
    for parent in module.ancestors(node):
        blocks += [(block, child) for block in list_blocks(parent) if child in block]
        child = parent
        if parent is function:
            break
    assigned = [
        statement
        for target, _ in _find_assignments(module, node)
        if function is not None and target is not node and module.find_function(target) is function
        if isinstance(statement := module.find_statement(target), ast.stmt)
    ]
    before = [
        statement
        for statement in assigned
        for block, inner in blocks
        if statement in block and inner in block[block.index(statement) + 1 :]
    ]
    return max(before, key=lambda statement: statement.lineno, default=None)


def list_blocks(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    """Yield the lists of statements in a statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def is_between(module: ParsedModule, first: ast.stmt, node: ast.expr, last: ast.expr) -> bool:
    """Return whether a node is in the same function as another, and not above a statement nor below it."""
    is_in_function = module.find_function(node) is module.find_function(last)
    return is_in_function and first.lineno <= node.lineno <= last.lineno
