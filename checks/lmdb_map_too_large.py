"""LMDB is told to map so much that Windows makes a file larger than the free space of most disks."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.domain.sizes import GIB, describe_bytes
from torchdoctor.source import SourceFile
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

# On Windows, LMDB sets the end of its file to the size of the map (`mdb_env_map` in its mdb.c). A data set
# of this size may be meant; a larger one is a guess that costs nothing on Linux.
LARGEST_BYTES = 64 * GIB
_OPENERS = frozenset({"lmdb.open", "lmdb.Environment"})
# Positions in the signature of `lmdb.Environment`.
_MAP_SIZE, _READONLY = 1, 3
_MOST_BINDINGS = 10
_EXPECTED_ERRORS = ("Error", "DiskError", "MemoryError", "OSError")
_WORDS = ((b"lmdb", (b"map_size", b"mapsize", b"lmdb.open(", b"Environment(")),)


@check(words=_WORDS)
def lmdb_map_too_large(source: SourceFile) -> Iterator[Finding]:
    """Find environments that are opened for writing with a very large map."""
    module = source.module
    for call, size, name in _find_sizes(module):
        count = _find_bytes(module, size)
        if count <= LARGEST_BYTES or not runs_on_windows(module, call):
            continue
        if not is_error_handled(module, call, _EXPECTED_ERRORS):
            what = f"the map_size of {name}() is {describe_bytes(count)}"
            message = f"{what}, and LMDB makes its file that large on Windows"
            yield Finding(message, locate(source, call))


def _find_sizes(module: ParsedModule) -> Iterator[tuple[ast.Call, ast.expr, str]]:
    """Yield the calls that set the size of a map that is written to, with that size and what they call."""
    for call in module.calls:
        name = module.find_dotted_name(call.func)
        if name in _OPENERS:
            size = find_argument(call, "map_size", _MAP_SIZE)
            if size is not None and _is_writable(module, call):
                yield call, size, name
    for call in module.calls_by_name.get("set_mapsize", ()):
        if (size := find_argument(call, "map_size", 0)) is not None:
            yield call, size, "set_mapsize"


def _is_writable(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether an environment may be written to; a file that is only read keeps its size.

    A value that is not known may be what the program reads with.
    """
    if any(each.arg is None for each in call.keywords) and find_keyword(call, "readonly") is None:
        return False
    readonly = find_argument(call, "readonly", _READONLY)
    return readonly is None or not all(find_possible_values(module, readonly))


def _find_bytes(module: ParsedModule, size: ast.expr) -> int:
    """Return the smallest size that an expression is known to have; 0 if it depends on what is not known."""
    if any(_is_reduced(node) for node in _find_expressions(module, size)):
        return 0
    values = find_possible_values(module, size)
    return min((int(each) for each in values if isinstance(each, (int, float))), default=0)


def _find_expressions(module: ParsedModule, size: ast.expr) -> Iterator[ast.AST]:
    """Yield the parts of an expression, and of what its names are bound to."""
    for node in ast.walk(size):
        yield node
        bindings = module.find_bindings(node) if isinstance(node, ast.Name) else ()
        for binding in bindings[:_MOST_BINDINGS]:
            yield binding.statement
            yield from ast.walk(binding.value) if binding.value is not None else ()


def _is_reduced(node: ast.AST) -> bool:
    """Return whether a part of an expression can make it smaller than the numbers in it say."""
    match node:
        case ast.Call(func=ast.Name(id="min")) | ast.BinOp(op=ast.Div() | ast.FloorDiv()) | ast.AugAssign():
            return True
    return False
