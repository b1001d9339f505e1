"""The calls of a module's functions, and what they pass for a parameter."""

import ast
from collections.abc import Sequence

from torchdoctor.source.module.nodes import Function, find_keyword
from torchdoctor.source.module.parsed import ParsedModule


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
