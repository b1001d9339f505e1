"""Which parts of a text that is taken apart at "/" a program uses."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.source.module.parsed import ParsedModule

# What the test of a branch says of addresses, which have slashes on every system.
_ADDRESS = re.compile(r"://|https?\b|\bs3\b|\bgs\b|hdfs|\bur[il]s?\b|is_url|is_remote|urlparse|\.scheme\b")
_BACKSLASHES = ("\\", "\\\\")


def takes_last_part(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether parts are counted from the end, where the backslashes are."""
    parent = module.parents.get(call)
    if _is_taken_from_end(parent, call) or (_splits_once_from_end(call) and _is_taken(parent, call)):
        return True
    match parent:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Starred(), ast.Name()])]):
            return True
        case ast.Assign(targets=[ast.Name()]):
            return any(_is_taken_from_end(module.parents.get(use), use) for use in _find_uses(module, parent))
    return False


def takes_any_part(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether any of the parts is used by itself."""
    parent = module.parents.get(call)
    if _is_taken(parent, call):
        return True
    match parent:
        case ast.Assign(targets=[ast.Name()]):
            return any(_is_taken(module.parents.get(use), use) for use in _find_uses(module, parent))
    return False


def knows_backslashes(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether the same text, or the result, is also looked at for backslashes in the function."""
    written = module.ask_once(_index_backslashes).get(module.find_scope(call), ())
    if not written:
        return False
    texts: list[ast.expr] = [call, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    match module.parents.get(call):
        case ast.Assign(targets=[target]):
            texts.append(target)
    return any(ast.unparse(each) in written for each in texts)


def is_for_addresses(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a branch around a call is taken for addresses only."""
    child: ast.AST = call
    for parent in module.ancestors(call):
        match parent:
            case (
                ast.If(test=test, body=body, orelse=orelse) | ast.IfExp(test=test, body=body, orelse=orelse)
            ) if child is not test and _ADDRESS.search(ast.unparse(test)):
                is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
                taken = orelse if is_negated else body
                if child is taken or (isinstance(taken, list) and child in taken):
                    return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return False
        child = parent
    return False


def _find_uses(module: ParsedModule, statement: ast.Assign) -> Iterator[ast.Name]:
    """Yield the later uses of the only name that a statement binds, in its scope."""
    [target] = statement.targets
    assert isinstance(target, ast.Name)
    scope = module.find_binding_scope(target)
    for use in module.uses.get(target.id, ()):
        if module.find_scope(use) is scope and use.lineno > target.lineno:
            yield use


def _is_taken(parent: ast.AST | None, child: ast.AST) -> bool:
    match parent:
        case ast.Subscript(value=value):
            return value is child
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value):
            return value is child
    return False


def _splits_once_from_end(call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(attr="rsplit"), args=[_, ast.Constant(value=1)]):
            return True
        case ast.Call(func=ast.Attribute(attr="rpartition")):
            return True
    return False


def _is_taken_from_end(parent: ast.AST | None, child: ast.AST) -> bool:
    match parent:
        case ast.Subscript(value=value, slice=ast.UnaryOp(op=ast.USub())):
            return value is child
        case ast.Subscript(value=ast.Name(id=name), slice=ast.BinOp(left=length, op=ast.Sub())):
            return isinstance(length, ast.Call) and ast.unparse(length) == f"len({name})"
        case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper)):
            return value is child and any(isinstance(each, ast.UnaryOp) for each in (lower, upper))
    return False


def _index_backslashes(module: ParsedModule) -> Mapping[ast.AST, Sequence[str]]:
    """Return the texts in each scope that are looked at for backslashes, as they are written."""
    found: dict[ast.AST, list[str]] = {}
    for node in module.nodes.get(ast.Constant, ()):
        if not (isinstance(node, ast.Constant) and node.value in _BACKSLASHES):
            continue
        match module.parents.get(node):
            case ast.Call(func=ast.Attribute(value=text)) | ast.Compare(comparators=[text]):
                found.setdefault(module.find_scope(node), []).append(ast.unparse(text))
    for separator in (*module.attribute_reads.get("sep", ()), *module.attribute_reads.get("altsep", ())):
        match module.parents.get(separator):
            case ast.Call(func=ast.Attribute(value=text)) | ast.Compare(comparators=[text]):
                found.setdefault(module.find_scope(separator), []).append(ast.unparse(text))
    return found
