"""A CUDA tensor or model is passed to another process, which Windows does not support."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.cuda.cuda_values import is_on_cuda
from torchdoctor.source.idioms.cuda.sent_objects import find_kept_cuda_value
from torchdoctor.source.idioms.processes.calls import PROCESS_WORD
from torchdoctor.source.idioms.processes.process_arguments import POOLS, SENDING_METHODS, is_pool
from torchdoctor.source.idioms.processes.queues import is_process_queue
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate
from torchdoctor.source.quoting import quote_expression

_SENDERS = frozenset(
    {
        *SENDING_METHODS,
        "ProcessPoolExecutor",
        "Process",
        "Pool",
        "spawn",
        "start_processes",
        "share_memory_",
        "share_memory",
        "put",
        "put_nowait",
        "send",
    }
)
# The step for each way in which a value is handed over.
_STEPS = {
    "passed to a process": "direct",
    "put in shared memory": "cpu",
    "passed to a pool": "arguments",
    "put into a queue between processes": "results",
    "sent to another process": "results",
}
_WORDS = (
    (b".share_memory", (b"cuda", b"device")),
    (b"ProcessPoolExecutor", (b"cuda", b"device")),
    (b"multiprocess", (PROCESS_WORD, b"spawn", b"Queue", b"Pipe(", b"share_memory")),
)


@check(words=_WORDS)
def cuda_ipc_unsupported(source: SourceFile) -> Iterator[Finding]:
    """Find CUDA values in the arguments of processes and pools, in queues and in shared memory."""
    module = source.module
    if not any("multiprocessing" in name or name.startswith("torch") for name in module.aliases.values()):
        return
    reported: set[tuple[str, str, ast.AST | None]] = set()
    for call in module.find_calls(lambda name: name in _SENDERS or name in module.classes):
        for value, how in _find_sent_values(module, call):
            # The same value is often handed to several processes.
            place = (ast.unparse(value), how, module.find_function(call))
            if isinstance(value, ast.Name) and place in reported:
                continue
            reported.add(place)
            if is_on_cuda(module, value) and runs_on_windows(module, call):
                message = f"a CUDA value is {how}: {quote_expression(value)}"
                yield Finding(message, locate(source, value), step=_STEPS[how])
        method = _find_sent_method(module, call)
        kept = find_kept_cuda_value(module, method, call) if method is not None else None
        if method is not None and kept is not None and runs_on_windows(module, call):
            is_given_to_pool = getattr(call.func, "attr", "") in SENDING_METHODS
            how = "passed to a pool" if is_given_to_pool else "passed to a process"
            shown, owner = quote_expression(kept), quote_expression(method)
            message = f"a CUDA value is {how}: {shown}, with the object of {owner}()"
            yield Finding(message, locate(source, method), step=_STEPS[how])


def _find_sent_method(module: ParsedModule, call: ast.Call) -> ast.Attribute | None:
    """Return the method of an object that a call gives another process to run, or None."""
    name = module.find_dotted_name(call.func)
    if name == "multiprocessing.Process":
        target = find_argument(call, "target", 1)
    elif name in ("multiprocessing.spawn", "multiprocessing.start_processes"):
        target = find_argument(call, "fn", 0)
    elif isinstance(call.func, ast.Attribute) and call.func.attr in SENDING_METHODS and call.args:
        target = call.args[0] if is_pool(module, call.func.value) else None
    else:
        return None
    return target if isinstance(target, ast.Attribute) else None


def _find_sent_values(module: ParsedModule, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """Yield each value that the call hands to another process, with a description of how."""
    name = module.find_dotted_name(call.func)
    if name in ("multiprocessing.Process", "multiprocessing.spawn", "multiprocessing.start_processes"):
        position = 1 if name != "multiprocessing.Process" else 3
        arguments = find_keyword(call, "args") or (call.args[position] if len(call.args) > position else None)
        yield from ((item, "passed to a process") for item in _find_items(module, arguments))
        yield from (
            (item, "passed to a process") for item in _find_items(module, find_keyword(call, "kwargs"))
        )
    elif name in module.classes and "multiprocessing.Process" in module.find_base_names(module.classes[name]):
        values = [*call.args, *(argument.value for argument in call.keywords)]
        yield from ((value, "passed to a process") for value in values)
    elif name in POOLS:
        yield from (
            (item, "passed to a pool") for item in _find_items(module, find_keyword(call, "initargs"))
        )
    match call.func:
        case ast.Attribute(value=value, attr="share_memory_" | "share_memory"):
            yield value, "put in shared memory"
        case ast.Attribute(value=value, attr="put" | "put_nowait") if call.args and is_process_queue(
            module, value
        ):
            yield call.args[0], "put into a queue between processes"
        case ast.Attribute(value=value, attr="send") if call.args and is_process_queue(module, value):
            yield call.args[0], "sent to another process"
        case ast.Attribute(value=value, attr=method) if method in SENDING_METHODS:
            if is_pool(module, value):
                yield from (
                    (item, "passed to a pool")
                    for argument in call.args[1:]
                    for item in _find_items(module, argument)
                )


def _find_items(module: ParsedModule, node: ast.expr | None) -> list[ast.expr]:
    """Return the items of a tuple, a list or a dictionary's values; any other node is the only item."""
    match node:
        case None:
            return []
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return list(items)
        case ast.Dict(values=values):
            return list(values)
        case ast.BinOp(left=left, right=right):
            return _find_items(module, left) + _find_items(module, right)
        case ast.Name():
            sequences = [
                binding.value
                for binding in module.find_bindings(node)
                if isinstance(binding.value, (ast.Tuple, ast.List))
            ]
            return [item for sequence in sequences for item in _find_items(module, sequence)] or [node]
    return [node]
