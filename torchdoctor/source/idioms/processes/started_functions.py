"""What a module passes by position to a function that it calls, or that a process runs."""

import ast
from collections.abc import Iterator

from torchdoctor.source.module.nodes import Function, find_keyword, positional_names
from torchdoctor.source.module.parsed import ParsedModule


def find_passed_values(module: ParsedModule, function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what calls, and processes that run a function, pass for one of its parameters by position."""
    names = positional_names(function)
    if name not in names:
        return
    makers = ("Process", "spawn", "start_processes")
    for call in (call for maker in (function.name, *makers) for call in module.calls_by_name.get(maker, ())):
        arguments = find_positional_values(module, call, function)
        if len(arguments) > names.index(name):
            yield arguments[names.index(name)]


def find_positional_values(module: ParsedModule, call: ast.Call, function: Function) -> list[ast.expr]:
    """Return the positional arguments that a call passes to a function, directly or through a process.

    The result is empty if the call does not run the function.
    """
    name = module.find_dotted_name(call.func)
    argument_tuple = find_keyword(call, "args")
    values = list(argument_tuple.elts) if isinstance(argument_tuple, (ast.Tuple, ast.List)) else []
    if name == "multiprocessing.Process":
        target = find_keyword(call, "target")
        return values if isinstance(target, ast.Name) and target.id == function.name else []
    if name in ("multiprocessing.spawn", "multiprocessing.start_processes") and call.args:
        first = call.args[0]
        return [first, *values] if isinstance(first, ast.Name) and first.id == function.name else []
    return list(call.args) if isinstance(call.func, ast.Name) and call.func.id == function.name else []
