"""The code or a configuration asks for processes by fork or forkserver, which Windows does not have."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, Severity, check
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate, locate_setting

_FORK_METHODS = frozenset({"fork", "forkserver"})
_FORK_STRATEGIES = frozenset({"ddp_fork", "ddp_notebook", "ddp_fork_find_unused_parameters_false"})
_CONTEXT_PARAMETERS = ("multiprocessing_context", "mp_context", "multiprocessing_start_method")
# Reinforcement learning environments that start processes, and their parameter for the start method.
_ENVIRONMENT_PARAMETERS = {"AsyncVectorEnv": "context", "SubprocVecEnv": "start_method"}
# The last parts of the names of functions, and the parameters of any, that choose a start method.
_CHOOSERS = frozenset(
    {
        *("set_start_method", "get_context", "start_processes", "spawn"),
        *("notebook_launcher", "debug_launcher"),
        *_ENVIRONMENT_PARAMETERS,
    }
)
_PARAMETERS = frozenset({*_CONTEXT_PARAMETERS, "start_method", "strategy"})
_WORDS = (
    (b"multiprocess", (b"fork", b"spawn")),
    (b"fork", (b"start_method", b"context=")),
    (b"multiprocess", (b"set_start_method(", b"get_context(")),
    (b"_launcher", (b"notebook_launcher", b"debug_launcher")),
    (b"ddp_", (b"ddp_notebook", b"ddp_fork")),
)


@check(words=_WORDS)
def fork_start_method(source: SourceFile | ConfigFile) -> Iterator[Finding]:
    """Find start methods that resolve to fork or forkserver in code that runs on Windows."""
    if isinstance(source, ConfigFile):
        yield from _find_in_settings(source)
        return
    module = source.module
    # Names are followed only for calls that can choose a method, because that takes long.
    named = frozenset(module.find_calls(_CHOOSERS.__contains__))
    for call in module.calls:
        if call not in named and not any(each.arg in _PARAMETERS for each in call.keywords):
            continue
        # A call without arguments chooses nothing.
        if not call.args and not call.keywords:
            continue
        for value in _find_start_methods(module, call):
            fork_methods = _FORK_METHODS & find_possible_values(module, value)
            if (
                fork_methods
                and runs_on_windows(module, call)
                and not is_error_handled(module, call, ("ValueError",))
            ):
                method = str(min(fork_methods, key=str))
                message = f'{_quote_callee(call)} is given the start method "{method}"'
                if (written := _find_constant(module, value, method)) is not None:
                    message += f", which stands in line {locate(source, written).line}"
                step = "pickled" if _passes_objects(module, call) else None
                yield Finding(message, locate(source, call), step=step)
                break
        if _is_forking_launcher(module, call) and runs_on_windows(module, call):
            message = f'{_quote_callee(call)} starts processes by the start method "fork"'
            yield Finding(message, locate(source, call), step="launcher")


def _find_in_settings(configuration: ConfigFile) -> Iterator[Finding]:
    """Find the settings that a program hands to a DataLoader or an environment."""
    for setting in configuration.settings:
        if setting.value in _FORK_METHODS and setting.key.rpartition(".")[2] in _CONTEXT_PARAMETERS:
            place = locate_setting(configuration, setting)
            yield Finding(f"{setting.key} is {setting.value}", place, severity=Severity.WARNING)


def _find_constant(module: ParsedModule, value: ast.expr | None, method: str) -> ast.Constant | None:
    """Return the default or the assigned value that names the method, if the call does not name it itself.

    That is the only one of the module.
    """
    if value is None or any(isinstance(node, ast.Constant) for node in ast.walk(value)):
        return None
    constants = [
        node
        for node in module.nodes.get(ast.Constant, ())
        if isinstance(node, ast.Constant) and node.value == method
    ]
    owners = (ast.arguments, ast.Assign, ast.AnnAssign, ast.IfExp, ast.Dict, ast.Return)
    given = [node for node in constants if isinstance(module.parents[node], owners)]
    return given[0] if len(given) == 1 else None


def _passes_objects(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether the processes of a call are given objects, which spawn has to pickle."""
    match module.find_dotted_name(call.func):
        case "multiprocessing.start_processes" | "multiprocessing.spawn":
            return _has_objects(find_argument(call, "args", 1))
        case "multiprocessing.get_context":
            starts = module.calls_by_name.get("Process", ())
            return any(_has_objects(find_keyword(each, "args")) for each in starts)
    return False


def _has_objects(arguments: ast.expr | None) -> bool:
    if isinstance(arguments, (ast.Tuple, ast.List)):
        return not all(isinstance(each, ast.Constant) for each in arguments.elts)
    return arguments is not None and not isinstance(arguments, ast.Constant)


def _is_forking_launcher(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call is a launcher of accelerate that forks (`accelerate/launchers.py`).

    `notebook_launcher` calls the function itself if it is to run in one process.
    """
    name = module.find_dotted_name(call.func)
    if name != "accelerate.notebook_launcher":
        return name == "accelerate.debug_launcher"
    counts = find_possible_values(module, find_argument(call, "num_processes", 2))
    return any(isinstance(count, int) and count > 1 for count in counts)


def _find_start_methods(module: ParsedModule, call: ast.Call) -> Iterator[ast.expr | None]:
    """Yield the arguments of a call that choose a start method."""
    name = module.find_dotted_name(call.func)
    if name in ("multiprocessing.set_start_method", "multiprocessing.get_context"):
        yield find_argument(call, "method", 0)
        return
    if name in ("multiprocessing.start_processes", "multiprocessing.spawn"):
        yield find_argument(call, "start_method", 5)
        return
    # For LaunchConfig and the agents of torch elastic.
    if name.startswith("torch.distributed."):
        yield find_keyword(call, "start_method")
    yield from (value for name in _CONTEXT_PARAMETERS if (value := find_keyword(call, name)) is not None)
    if (parameter := _ENVIRONMENT_PARAMETERS.get(name.rpartition(".")[2])) is not None:
        yield find_keyword(call, parameter)
    strategy = find_keyword(call, "strategy")
    if (
        name.startswith("lightning.")
        and strategy is not None
        and _FORK_STRATEGIES & find_possible_values(module, strategy)
    ):
        yield ast.Constant("fork")


def _quote_callee(call: ast.Call) -> str:
    text = ast.unparse(call.func)
    return f"{text.rpartition('.')[2] if len(text) > 40 else text}()"
