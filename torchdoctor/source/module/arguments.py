"""The calls of a module's functions, the functions that calls run, and what they pass for a parameter."""

import ast
from collections.abc import Sequence

from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_keyword, positional_names
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
    names = positional_names(function)
    if isinstance(module.find_scope(function), ast.ClassDef) and names:
        names = names[1:]
    if name not in names or len(call.args) <= names.index(name):
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    return call.args[names.index(name)]


def find_called_function(module: ParsedModule, call: ast.Call) -> tuple[ParsedModule, Function] | None:
    """Return the function, method or constructor of the project that a call runs, with the module of it."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            owner = module.find_class(call)
            methods = [each for each in module.methods.get(name, ()) if module.parents[each] is owner]
            return (module, methods[0]) if len(methods) == 1 else None
    dotted = module.find_dotted_name(call.func)
    found, name = find_definition(module, dotted), "__init__"
    if found is None:
        dotted, _, name = dotted.rpartition(".")
        found = find_definition(module, dotted)
        found = found if found is not None and isinstance(found[1], ast.ClassDef) else None
    if found is not None and isinstance(found[1], ast.ClassDef):
        methods = [each for each in found[1].body if isinstance(each, FUNCTIONS) and each.name == name]
        return (found[0], methods[0]) if methods else None
    return (found[0], found[1]) if found is not None and isinstance(found[1], FUNCTIONS) else None


def find_definition(module: ParsedModule, dotted: str) -> tuple[ParsedModule, Function | ast.ClassDef] | None:
    """Return the function or class of the project that a dotted name stands for, with the module of it."""
    local = module.functions.get(dotted) or module.classes.get(dotted)
    return (module, local) if local is not None else module.find_imported(dotted)


def find_given_parameter(
    module: ParsedModule, function: Function, call: ast.Call, argument: ast.AST
) -> str | None:
    """Return the parameter that gets an argument of a call; None if that is not plain."""
    if isinstance(argument, ast.keyword):
        by_name = [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]
        return argument.arg if argument.arg in by_name else None
    if argument not in call.args or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    names = positional_names(function)
    is_static = any(ast.unparse(each) == "staticmethod" for each in function.decorator_list)
    if isinstance(module.find_scope(function), ast.ClassDef) and not is_static:
        names = names[1:]
    place = next(index for index, each in enumerate(call.args) if each is argument)
    return names[place] if place < len(names) else None
