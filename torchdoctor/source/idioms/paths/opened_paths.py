"""The calls that open a file by its path, found from an expression that is the path."""

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from torchdoctor.source.module.arguments import find_called_function, find_calls_of, find_given_parameter
from torchdoctor.source.module.nodes import Function
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.reaching import find_reaching_bindings

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
        "assertFalse", "mkdir", "makedirs", "isdir", "echo", "with_suffix", "with_name",
    }
)  # fmt: skip
# Classes whose instances only hold what they are given, by the end of their name.
_HOLDER = re.compile(
    r"(?:Error|Exception|Config|Configuration|Args|Arguments|Options|Params|Parameters|Settings|Request|Response|Event|Job|Task|"
    r"Result|Item|Record|Info|Spec|Context)$"
)
# What a function or class that opens a file is named after, where its code cannot be read.
_OPENER = re.compile(
    r"open|load|(?<!th)(?<!sp)read|save|writ|dump|stor(?:e|age)|copy|(?<!pro)file|export|import|conver|"
    r"decode|encode|transcri|play(?!ground)|render|pars|extract|unpack|retrieve|fetch|train|infer|predict|"
    r"segment|process|exec|popen|spawn|system|check_call|check_output|capture|session|archive|database|"
    r"dataset|video|audio|image|clip|tokeni|ffmpeg|sox|probe|invoke|evaluate|validate|"
    r"(?:^|_)(?:run|main|call|from|to)(?:_|$)|net$|^init_process_group$|^connect$",
    re.IGNORECASE,
)
# Calls whose result is the same path.
_PATH_CALLS = frozenset(
    {"str", "Path", "PurePath", "abspath", "realpath", "fspath", "normpath", "quote", "format"}
)
# Methods of a path that open its file.
_OPENING_METHODS = frozenset({"open", "read_text", "read_bytes", "write_text", "write_bytes"})
# What makes another path of one, if it follows it directly.
_CONTINUES = re.compile(r"[\w./\\-]")
_CONTINUED_FIELD = re.compile(r"(?:\{\w*\}|%s)[\w./\\-]")
_MAX_DEPTH = 3
_MOST_CALLS = 50
_MOST_USES = 200


def find_opening(module: ParsedModule, path: ast.expr, end: int, depth: int = 0) -> ast.Call | None:
    """Return the call that opens a path up to the line `end`, through the names and texts that hold it."""
    child: ast.AST = path
    for parent in module.ancestors(path):
        match parent:
            case ast.Call(func=func) if child is not func:
                last = _find_last_name(parent)
                if last not in _PATH_CALLS:
                    return parent if _opens(module, parent, last, child, depth) else None
                if last == "format" and _is_continued(func):
                    return None
            case ast.Attribute(attr=method):
                call = module.parents.get(parent)
                return call if method in _OPENING_METHODS and isinstance(call, ast.Call) else None
            case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
                if _makes_other_path(parent, child):
                    return None
            case ast.keyword() | ast.FormattedValue() | ast.List() | ast.Tuple():
                pass
            case ast.Assign(targets=[ast.Name() as target]) if depth < _MAX_DEPTH:
                return _follow_target(module, target, end, depth)
            case ast.Yield():
                return _follow_yield(module, parent, depth)
            case _:
                return None
        child = parent
    return None


def find_uses_between(module: ParsedModule, name: str, first: int, last: int) -> Sequence[ast.Name]:
    """Return the uses of a name from one line to another, in their order; not more than are followed."""
    uses, lines = module.ask_once(_sort_uses, name)
    start = bisect_left(lines, first)
    return uses[start : min(bisect_right(lines, last), start + _MOST_USES)]


def _sort_uses(module: ParsedModule, name: str) -> tuple[Sequence[ast.Name], Sequence[int]]:
    uses = sorted(module.uses.get(name, ()), key=lambda each: (each.lineno, each.col_offset))
    return uses, [each.lineno for each in uses]


def _is_continued(func: ast.expr) -> bool:
    """Return whether `"{}.png".format` writes more behind the path."""
    match func:
        case ast.Attribute(value=ast.Constant(value=str() as text)):
            return _CONTINUED_FIELD.search(text) is not None
    return False


def _makes_other_path(text: ast.expr, child: ast.AST) -> bool:
    """Return whether a text has the path with something behind it that makes it the path of another file."""
    match text:
        case ast.JoinedStr(values=values):
            following: Sequence[ast.expr] = values[values.index(child) + 1 :] if child in values else ()
            return bool(following) and _continues(following[0])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return left is child and _continues(right)
        case ast.BinOp(left=ast.Constant(value=str() as pattern), op=ast.Mod()):
            return _CONTINUED_FIELD.search(pattern) is not None
    return False


def _continues(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return _CONTINUES.match(text) is not None
        case ast.JoinedStr(values=[first, *_]):
            return _continues(first)
    return True


def _opens(module: ParsedModule, call: ast.Call, last: str, argument: ast.AST, depth: int) -> bool:
    """Return whether a call that is given a path opens it: its code does, or else its name says so."""
    # `log.write(path)` writes the path itself, `soundfile.write(path, samples, rate)` does not.
    is_text = last == "write" and len(call.args) == 1
    if last in _HARMLESS_CALLS or is_text or _HOLDER.search(last):
        return False
    found = find_called_function(module, call) if depth < _MAX_DEPTH else None
    name = find_given_parameter(*found, call, argument) if found is not None else None
    if found is None or name is None:
        return last not in module.classes and _OPENER.search(last) is not None
    owner, function = found
    return owner.ask_once(_opens_parameter, function, name, depth + 1)


def _opens_parameter(module: ParsedModule, function: Function, name: str, depth: int) -> bool:
    """Return whether a function opens the path that it is given for a parameter."""
    end = function.end_lineno or 0
    return any(
        find_opening(module, each, end, depth) is not None
        for each in find_uses_between(module, name, function.lineno, end)
        if isinstance(each.ctx, ast.Load) and module.find_parameter(each) is function
    )


def _follow_target(module: ParsedModule, target: ast.Name, end: int, depth: int) -> ast.Call | None:
    """Return the call that opens the path in a name, before the file is closed."""
    scope = module.find_binding_scope(target)
    for use in find_uses_between(module, target.id, target.lineno + 1, end):
        if module.find_scope(use) is not scope or not isinstance(use.ctx, ast.Load):
            continue
        bindings = find_reaching_bindings(module, use)
        if [each.statement for each in bindings] != [module.parents[target]]:
            continue
        if (opening := find_opening(module, use, end, depth + 1)) is not None:
            return opening
    return None


def _follow_yield(module: ParsedModule, node: ast.Yield, depth: int) -> ast.Call | None:
    """Return the call that opens the path in a block whose `with` a function of this module serves."""
    function = module.find_function(node)
    if function is None or depth >= _MAX_DEPTH or not any(map(_makes_manager, function.decorator_list)):
        return None
    openings = (
        find_opening(module, use, end, depth + 1)
        for name, end in _find_managed_names(module, function)
        for use in find_uses_between(module, name.id, name.lineno, end)
        if use is not name
    )
    return next((each for each in openings if each is not None), None)


def _makes_manager(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).rpartition(".")[2] == "contextmanager"


def _find_managed_names(module: ParsedModule, function: Function) -> Iterator[tuple[ast.Name, int]]:
    """Yield the names that `with function() as name` binds, each with the last line of its block."""
    for call in find_calls_of(module, function)[:_MOST_CALLS]:
        item = module.parents[call]
        match item:
            case ast.withitem(optional_vars=ast.Name() as name):
                yield name, getattr(module.parents[item], "end_lineno", None) or 0


def _find_last_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def name_opening(module: ParsedModule, call: ast.Call) -> str:
    """Return the name of what a call runs, with brackets."""
    return f"{module.find_dotted_name(call.func) or _find_last_name(call)}()"
