"""The calls of a module's functions, and what they pass for a parameter."""

import ast
from collections.abc import Sequence

from torchdoctor.source.module.parsed import Function, ParsedModule, find_keyword


def find_default(function: Function, name: str) -> ast.expr | None:
    """Return the default of a parameter, or None when it has none."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for parameter, default in zip(positional, defaults + list(arguments.defaults), strict=True):
        if parameter.arg == name:
            return default
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if parameter.arg == name:
            return default
    return None


def find_calls_of(module: ParsedModule, function: Function) -> Sequence[ast.Call]:
    """Return the module's calls of a function; for `__init__`, the calls of its class."""
    owner = module.parents.get(function)
    name = owner.name if function.name == "__init__" and isinstance(owner, ast.ClassDef) else function.name
    return module.calls_by_name.get(name, ())


def find_passed_argument(
    module: ParsedModule, call: ast.Call, function: Function, name: str
) -> ast.expr | None:
    """Return the value that a call passes for a parameter, by keyword or by position."""
    if (value := find_keyword(call, name)) is not None:
        return value
    names = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(module.find_scope(function), ast.ClassDef) and names:
        names = names[1:]
    if name not in names or len(call.args) <= names.index(name):
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    return call.args[names.index(name)]
