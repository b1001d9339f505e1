"""Which values are generators, which cannot be sent to a spawned process."""

import ast

from torchdoctor.source.idioms.loading.datasets import find_called_method
from torchdoctor.source.idioms.pickling.local_functions import find_local_function
from torchdoctor.source.module.nodes import FUNCTIONS
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 6
# Calls whose result reads from their arguments, and is not sent without them.
_READING_CALLS = frozenset({"iter", "map", "filter", "zip", "enumerate", "reversed"})


def is_generator(module: ParsedModule, value: ast.expr | None, depth: int = 0) -> bool:
    """Return whether a value is a generator, or reads from one: also what a generator function returns."""
    match value:
        case ast.GeneratorExp():
            return True
        case ast.Name() if depth < _MAX_DEPTH and module.find_parameter(value) is None:
            return is_generator(module, module.find_only_value(value), depth + 1)
        case ast.Call(func=func, args=arguments) if depth < _MAX_DEPTH:
            name = module.find_dotted_name(func)
            if name in _READING_CALLS or name.startswith("itertools."):
                return any(is_generator(module, each, depth + 1) for each in arguments)
            return _runs_generator_function(module, value, name)
    return False


def _runs_generator_function(module: ParsedModule, call: ast.Call, name: str) -> bool:
    owner, function = module, module.functions.get(name) or find_called_method(module, call)
    if function is None and isinstance(call.func, ast.Name):
        function = find_local_function(module, call.func)
    if function is None and (found := module.find_imported(name)) is not None:
        owner, definition = found
        function = definition if isinstance(definition, FUNCTIONS) else None
    # What a decorator makes of it is not known: `@contextmanager`.
    is_known = function is not None and not set(map(ast.unparse, function.decorator_list)) - {"staticmethod"}
    return is_known and function in owner.yields
