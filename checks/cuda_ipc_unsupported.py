"""A CUDA tensor or model is handed to another process, which Windows does not support."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.devices import is_on_cuda
from torchdoctor.source.idioms.queues import is_process_queue
from torchdoctor.source.module.parsed import ParsedModule, keyword
from torchdoctor.source.module.places import locate
from torchdoctor.source.module.platforms import runs_on_windows

_POOL_METHODS = (
    "map",
    "imap",
    "imap_unordered",
    "starmap",
    "apply",
    "apply_async",
    "map_async",
    "starmap_async",
)
_WORDS = (
    (b"multiprocess", (b"Process", b"Pool", b"spawn", b"Queue", b"Manager", b"Pipe(", b"share_memory")),
)


@check(words=_WORDS)
def cuda_ipc_unsupported(source: SourceFile) -> Iterator[Finding]:
    """Find CUDA values in process arguments, in queues between processes and in shared memory."""
    module = source.module
    if not any("multiprocessing" in name or name.startswith("torch") for name in module.aliases.values()):
        return
    for call in module.calls:
        for value, how in _sent(module, call):
            if is_on_cuda(module, value) and runs_on_windows(module, call):
                yield Finding(f"a CUDA value is {how}: {_shown(value)}", locate(source, value))


def _sent(module: ParsedModule, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    name = module.canonical(call.func)
    if name in ("multiprocessing.Process", "multiprocessing.spawn", "multiprocessing.start_processes"):
        position = 1 if name != "multiprocessing.Process" else 3
        passed = keyword(call, "args") or (call.args[position] if len(call.args) > position else None)
        yield from ((each, "passed to a process") for each in _items(module, passed))
        yield from ((each, "passed to a process") for each in _items(module, keyword(call, "kwargs")))
    elif name in module.classes and "multiprocessing.Process" in module.bases(module.classes[name]):
        passed_on = [*call.args, *(each.value for each in call.keywords)]
        yield from ((each, "passed to a process") for each in passed_on)
    elif name == "multiprocessing.Pool":
        yield from ((each, "passed to a pool") for each in _items(module, keyword(call, "initargs")))
    match call.func:
        case ast.Attribute(value=value, attr="share_memory_" | "share_memory"):
            yield value, "put in shared memory"
        case ast.Attribute(value=value, attr="put" | "put_nowait") if call.args and is_process_queue(
            module, value
        ):
            yield call.args[0], "put into a queue between processes"
        case ast.Attribute(value=value, attr="send") if call.args and is_process_queue(module, value):
            yield call.args[0], "sent to another process"
        case ast.Attribute(value=value, attr=method) if method in _POOL_METHODS:
            if module.canonical(value) == "multiprocessing.Pool" or _is_pool(module, value):
                yield from (
                    (item, "passed to a pool") for each in call.args[1:] for item in _items(module, each)
                )


def _is_pool(module: ParsedModule, node: ast.expr) -> bool:
    bindings = module.find_bindings(node) if isinstance(node, ast.Name) else ()
    values = [each.value for each in bindings]
    return any(
        isinstance(each, ast.Call) and module.canonical(each.func) == "multiprocessing.Pool"
        for each in values
    )


def _items(module: ParsedModule, node: ast.expr | None) -> list[ast.expr]:
    match node:
        case None:
            return []
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return list(items)
        case ast.Dict(values=values):
            return list(values)
        case ast.BinOp(left=left, right=right):
            return _items(module, left) + _items(module, right)
        case ast.Name():
            found = [
                each.value
                for each in module.find_bindings(node)
                if isinstance(each.value, (ast.Tuple, ast.List))
            ]
            return [item for each in found for item in _items(module, each)] or [node]
    return [node]


def _shown(value: ast.expr) -> str:
    text = " ".join(ast.unparse(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
