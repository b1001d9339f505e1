"""What a call does by its name: it starts processes, iterates a loader, keeps it, or runs functions."""

import ast
import re

from torchdoctor.source.idioms.processes.carriers import MAKER_NAMES, WRAPPERS
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import find_keyword
from torchdoctor.source.module.parsed import ParsedModule

# What a file that uses multiprocessing has in its text; "Process the batch" is a sentence.
PROCESS_WORD = re.compile(
    rb"\b(?:Pool|Manager)\b"
    rb"|\bProcess(?:Pool|\b(?! (?!(?:as|if|or|and|else|for|in|is|not)\b)[a-z]))"
)
# Calls that start processes, either at once or when their result is first used.
_STARTING_CALLS = frozenset(
    {
        "multiprocessing.Pool",
        "multiprocessing.Manager",
        "multiprocessing.spawn",
        "multiprocessing.start_processes",
        "concurrent.futures.ProcessPoolExecutor",
        "pathos.pools.ProcessPool",
        "dask.distributed.LocalCluster",
        "distributed.LocalCluster",
        "tqdm.contrib.concurrent.process_map",
    }
)
_CLUSTER_CALLS = frozenset({"dask.distributed.LocalCluster", "distributed.LocalCluster"})
# A client without an address creates its own LocalCluster.
_CLIENT_CALLS = frozenset({"dask.distributed.Client", "distributed.Client"})
_ADDRESS_PARAMETERS = ("address", "scheduler_file")
# Calls that do not iterate a loader argument; some return it.
_PASSIVE_CALLS = frozenset(
    {
        "len",
        "print",
        # A loader that is saved is not iterated.
        "save",
        "dump",
        "dumps",
        "type",
        "isinstance",
        "id",
        "repr",
        "str",
        "hasattr",
        "getattr",
        "setattr",
        "callable",
        "append",
        "extend",
        "insert",
        "update",
        "setdefault",
        "add",
        "info",
        "debug",
        "warning",
        "error",
        "log",
        "deepcopy",
        "copy",
        "dict",
        "set",
        "vars",
        "format",
        "write",
    }
)
# Calls that iterate their argument.
ITERATING_CALLS = frozenset(
    {"iter", "next", "list", "tuple", "sorted", "sum", "max", "min", "any", "all", "map", "filter", "reduce"}
)
# Methods that use the loaders of their object, by the start of their name.
RUN_METHODS = re.compile(
    r"^(fit|train|run|eval|test|valid|predict|learn|solve|main|launch|start|execute|optimi[sz]e|search|fine_?tune|infer|"
    r"extract|process|lr_find|tune|do_train|__call__)"
)
# Functions that train with the settings that they are given.
SETTING_USERS = re.compile(r"^(?:(?:fit|train|fine_?tune)(?:_|$)|(?:run|main)$)")
# Calls that run a function passed as an argument.
FUNCTION_RUNNERS = frozenset(
    {
        "Fire",
        "run",
        "optimize",
        "agent",
        "fmin",
        "Thread",
        "Timer",
        "launch",
        "main",
        "tune",
        "timeit",
        "repeat",
    }
)
# Ultralytics uses so many workers by default (cfg/default.yaml).
_YOLO_WORKERS = 8


def is_starting_call(module: ParsedModule, call: ast.Call, name: str) -> bool:
    """Return whether a call of a function, by its dotted name, is one of those that start processes."""
    return name in _STARTING_CALLS or _is_own_cluster(call, name) or _maps_dataset(module, call)


def describe_started(module: ParsedModule, call: ast.Call, name: str, last: str) -> str | None:
    """Return what such a call starts, None where its arguments say that it starts threads."""
    if _maps_dataset(module, call):
        count = find_keyword(call, "num_proc")
        return f"{last}(num_proc={ast.unparse(count) if count is not None else ''}) starts processes"
    processes = find_keyword(call, "processes") if name in _CLUSTER_CALLS | _CLIENT_CALLS else None
    if isinstance(processes, ast.Constant) and processes.value is False:
        return None
    return f"{last}() starts processes"


def _is_own_cluster(call: ast.Call, name: str) -> bool:
    has_address = bool(call.args) or any(find_keyword(call, each) for each in _ADDRESS_PARAMETERS)
    return name in _CLIENT_CALLS and not has_address


def _maps_dataset(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call is `map` or `filter` of a dataset of Hugging Face, with several processes."""
    count = find_keyword(call, "num_proc")
    if count is None or not isinstance(call.func, ast.Attribute) or call.func.attr not in ("map", "filter"):
        return False
    return _find_most(module, count, 0) > 1 and any(
        name.startswith("datasets") for name in module.aliases.values()
    )


def describe_yolo_started(module: ParsedModule, call: ast.Call, last: str) -> str | None:
    """Return what a method of an Ultralytics model starts, None if nothing."""
    workers = find_keyword(call, "workers")
    if workers is None and any(each.arg is None for each in call.keywords):
        return None
    most = _find_most(module, workers, _YOLO_WORKERS)
    return f"{last}() of an Ultralytics model starts {most} loader workers" if most > 0 else None


def _find_most(module: ParsedModule, value: ast.expr | None, default: int) -> int:
    """Return the largest number that a value can have, the default if none is known."""
    numbers = (each for each in find_possible_values(module, value) if isinstance(each, int))
    return max(numbers, default=default)


def keeps_argument(last: str) -> bool:
    """Return whether a call, by the last part of its name, does not use up a loader that it is given."""
    return (
        last in _PASSIVE_CALLS
        or last in WRAPPERS
        or MAKER_NAMES.match(last) is not None
        or last[:1].isupper()
        or not last
    )
