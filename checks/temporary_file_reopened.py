"""A temporary file is opened by its name while the program still has it open, which Windows refuses."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, Severity, check
from torchdoctor.source import SourceFile
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_EXPECTED_ERRORS = ("OSError", "IOError", "PermissionError", "EnvironmentError")
# Calls that take a path and do not open the file, and those that Windows lets through while it is
# open: they ask for its size or times, delete it or rename it.
_HARMLESS_CALLS = frozenset(
    {
        "print", "len", "repr", "hash", "id", "type", "isinstance", "append", "add", "extend", "insert",
        "dict", "set", "update", "setdefault", "setenv", "debug", "info", "warning", "warn", "error",
        "exception", "critical", "log", "put", "set_description", "match", "startswith", "endswith",
        "basename", "dirname", "exists", "isfile", "getsize", "getmtime", "split", "splitext", "relpath",
        "join", "stat", "remove", "unlink", "rename", "replace", "chmod", "utime", "add_argument",
        "register", "partial", "Namespace", "SimpleNamespace", "assertTrue", "assertEqual", "assertIn",
        "assertFalse",
    }
)  # fmt: skip
# Calls whose result is the same path.
_PATH_CALLS = frozenset(
    {"str", "Path", "PurePath", "abspath", "realpath", "fspath", "normpath", "quote", "format"}
)
# Methods of a path that open its file.
_OPENING_METHODS = frozenset({"open", "read_text", "read_bytes", "write_text", "write_bytes"})
_MAX_DEPTH = 3


@check(words=((b"NamedTemporaryFile", ()),))
def temporary_file_reopened(source: SourceFile) -> Iterator[Finding]:
    """Find open temporary files whose name is handed to something that opens it."""
    module = source.module
    for call in module.find_calls("NamedTemporaryFile".__eq__):
        if module.find_dotted_name(call.func) != "tempfile.NamedTemporaryFile" or _is_kept(call):
            continue
        name = _find_name(module, call)
        opening = _find_opening(module, name) if name is not None else None
        if opening is None or not runs_on_windows(module, opening):
            continue
        if is_error_handled(module, opening, _EXPECTED_ERRORS):
            continue
        line = locate(source, call).line
        yield Finding(
            f"{_name_call(module, opening)} opens the temporary file of line {line} while that is still open",
            locate(source, opening),
            severity=Severity.WARNING,
            step="close",
        )


def _is_kept(call: ast.Call) -> bool:
    """Return whether the file may be kept when it is closed: only then can it be opened again."""
    return any(
        each.arg is None or (each.arg in ("delete", "delete_on_close") and not _is_true(each.value))
        for each in call.keywords
    )


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _find_name(module: ParsedModule, call: ast.Call) -> ast.Name | None:
    """Return the name that the open file is bound to, or None."""
    parent = module.parents.get(call)
    match parent:
        case ast.Call(func=ast.Attribute(attr="enter_context")):
            call, parent = parent, module.parents.get(parent)
    match parent:
        case ast.withitem(optional_vars=ast.Name() as name) | ast.Assign(targets=[ast.Name() as name]):
            return name
    return None


def _find_opening(module: ParsedModule, file: ast.Name) -> ast.Call | None:
    """Return the first call that is given the name of the file while the file is open, or None."""
    scope = module.find_binding_scope(file)
    end = _find_end(module, file)
    uses = [
        each
        for each in module.uses.get(file.id, ())
        if each is not file and module.find_scope(each) is scope and file.lineno <= each.lineno <= end
    ]
    for use in uses:
        match module.parents.get(use):
            case ast.Attribute(attr="close"):
                return None
            case ast.Attribute(attr="name") as path:
                if (opening := _follow_path(module, path, end)) is not None:
                    return opening
        if isinstance(use.ctx, (ast.Store, ast.Del)):
            return None
    return None


def _find_end(module: ParsedModule, file: ast.Name) -> int:
    """Return the last line in which the file is open."""
    parent = module.parents.get(file)
    block = module.parents.get(parent) if isinstance(parent, ast.withitem) else module.find_scope(file)
    end: int = getattr(block, "end_lineno", None) or module.tree.body[-1].end_lineno or 0
    return end


def _follow_path(module: ParsedModule, path: ast.expr, end: int, depth: int = 0) -> ast.Call | None:
    """Return the call that opens a path, through the names and texts that hold it."""
    child: ast.AST = path
    for parent in module.ancestors(path):
        match parent:
            case ast.Call(func=func) if child is not func:
                last = _find_last_name(parent)
                if last not in _PATH_CALLS:
                    return parent if _opens(module, parent, last) else None
            case ast.Attribute(attr=method):
                call = module.parents.get(parent)
                if method == "format":
                    return None
                return call if method in _OPENING_METHODS and isinstance(call, ast.Call) else None
            case (
                ast.keyword()
                | ast.FormattedValue()
                | ast.JoinedStr()
                | ast.List()
                | ast.Tuple()
                | ast.BinOp(op=ast.Add() | ast.Mod())
            ):
                pass
            case ast.Assign(targets=[ast.Name() as target]) if depth < _MAX_DEPTH:
                return _follow_target(module, target, end, depth)
            case _:
                return None
        child = parent
    return None


def _opens(module: ParsedModule, call: ast.Call, last: str) -> bool:
    """Return whether a call that is given a path opens it: all do that are not known for something else."""
    # `log.write(path)` writes the path itself, `soundfile.write(path, samples, rate)` does not.
    is_text = last == "write" and len(call.args) == 1
    is_kept = last in module.classes or last.endswith(("Error", "Exception"))
    return not (last in _HARMLESS_CALLS or is_text or is_kept)


def _follow_target(module: ParsedModule, target: ast.Name, end: int, depth: int) -> ast.Call | None:
    """Return the call that opens the path in a name, before the file is closed."""
    scope = module.find_binding_scope(target)
    if len(module.bindings.get((scope, target.id), ())) != 1:
        return None
    for use in module.uses.get(target.id, ()):
        is_after = target.lineno < use.lineno <= end and module.find_scope(use) is scope
        if is_after and (opening := _follow_path(module, use, end, depth + 1)) is not None:
            return opening
    return None


def _find_last_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _name_call(module: ParsedModule, call: ast.Call) -> str:
    return f"{module.find_dotted_name(call.func) or _find_last_name(call)}()"
