"""The code takes a path apart at "/", and the paths that Python makes on Windows have backslashes."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.native_paths import is_native_path
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate, name_other_lines

_METHODS = ("split", "rsplit", "rpartition")


@check(words=((b"split(", (b"'/'", b'"/"')), (b"rpartition(", (b"'/'", b'"/"'))))
def path_separator(source: SourceFile) -> Iterator[Finding]:
    """Find paths of glob, listdir and the like whose last parts are taken by splitting at "/"."""
    module = source.module
    found = [
        call
        for method in _METHODS
        for call in module.calls_by_name.get(method, ())
        if _splits_path(module, call)
        and _takes_last_part(module, call)
        and runs_on_windows(module, call)
        and not is_error_handled(module, call, ("IndexError", "ValueError"))
    ]
    places = sorted((locate(source, call) for call in found), key=lambda place: (place.line, place.column))
    if not places:
        return
    first, *others = places
    message = 'a path of the system is split at "/", which leaves the folder in the name on Windows'
    yield Finding(f"{message}{name_other_lines(first, others)}", first)


def _splits_path(module: ParsedModule, call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(value=value), args=[ast.Constant(value="/"), *_]):
            return is_native_path(module, value)
    return False


def _takes_last_part(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether parts are counted from the end, where the backslashes are."""
    parent = module.parents.get(call)
    if _is_taken_from_end(parent, call):
        return True
    match parent:
        case (
            ast.Assign(targets=[ast.Name(id=name) as target])
            | ast.Assign(targets=[ast.Tuple(elts=[ast.Starred(), ast.Name(id=name) as target])])
        ):
            if isinstance(parent.targets[0], ast.Tuple):
                return True
            scope = module.find_binding_scope(target)
            return any(
                _is_taken_from_end(module.parents.get(use), use)
                for use in module.uses.get(name, ())
                if module.find_scope(use) is scope and use.lineno > target.lineno
            )
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
