"""Processes are to be started by fork or forkserver, which Windows does not have."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.module.attempts import is_tried
from torchdoctor.source.module.constants import possible_values
from torchdoctor.source.module.parsed import ParsedModule, argument, keyword
from torchdoctor.source.module.places import locate
from torchdoctor.source.module.platforms import runs_on_windows

_METHODS = frozenset({"fork", "forkserver"})
_STRATEGIES = frozenset({"ddp_fork", "ddp_notebook", "ddp_fork_find_unused_parameters_false"})
_CONTEXTS = ("multiprocessing_context", "mp_context")
# Environments of reinforcement learning in processes, and what they call the start method.
_ENVIRONMENTS = {"AsyncVectorEnv": "context", "SubprocVecEnv": "start_method"}
_WORDS = (
    (b"multiprocess", (b"fork", b"spawn")),
    (b"fork", (b"start_method", b"context=", b"ddp_fork")),
    (b"ddp_notebook", ()),
)


@check(words=_WORDS)
def fork_start_method(source: SourceFile) -> Iterator[Finding]:
    """Find start methods that resolve to fork or forkserver where Windows gets to them."""
    module = source.module
    for call in module.calls:
        for value in _start_methods(module, call):
            chosen = _METHODS & possible_values(module, value)
            if chosen and runs_on_windows(module, call) and not is_tried(module, call, ("ValueError",)):
                message = f'{_shown(call)} is given the start method "{min(chosen, key=str)}"'
                yield Finding(message, locate(source, call))
                break


def _start_methods(module: ParsedModule, call: ast.Call) -> Iterator[ast.expr | None]:
    name = module.canonical(call.func)
    if name in ("multiprocessing.set_start_method", "multiprocessing.get_context"):
        yield argument(call, "method", 0)
        return
    if name in ("multiprocessing.start_processes", "multiprocessing.spawn"):
        yield argument(call, "start_method", 5)
        return
    # LaunchConfig and the agents of torch elastic.
    if name.startswith("torch.distributed."):
        yield keyword(call, "start_method")
    yield from (value for each in _CONTEXTS if (value := keyword(call, each)) is not None)
    if (option := _ENVIRONMENTS.get(name.rpartition(".")[2])) is not None:
        yield keyword(call, option)
    strategy = keyword(call, "strategy")
    if (
        name.startswith("lightning.")
        and strategy is not None
        and _STRATEGIES & possible_values(module, strategy)
    ):
        yield ast.Constant("fork")


def _shown(call: ast.Call) -> str:
    text = ast.unparse(call.func)
    return f"{text.rpartition('.')[2] if len(text) > 40 else text}()"
