"""What a node of code says by itself: the arguments of a call, the parameters of a function and others."""

import ast
from collections.abc import Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parameter_names(scope: ast.AST) -> frozenset[str]:
    """Return the names of the parameters of a function or lambda; none for other scopes."""
    if not isinstance(scope, (*FUNCTIONS, ast.Lambda)):
        return frozenset()
    arguments = scope.args
    parameters = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    return frozenset(parameter.arg for parameter in parameters if parameter is not None)


def positional_names(function: Function) -> list[str]:
    """Return the names of the parameters that a call can fill by position, in their order."""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def find_annotation(function: Function, name: str) -> ast.expr | None:
    """Return the annotation of a parameter that takes one argument, or None when it has none."""
    parameters = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return next((each.annotation for each in parameters if each.arg == name), None)


def find_keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument, or None."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def find_items(node: ast.Dict, key: str) -> Sequence[ast.expr]:
    """Return the values of a key of a dictionary that is written out."""
    pairs = zip(node.keys, node.values, strict=True)
    return [value for each, value in pairs if isinstance(each, ast.Constant) and each.value == key]


def find_argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """Return the value of an argument passed by keyword or by position, or None."""
    if (value := find_keyword(call, name)) is not None:
        return value
    arguments = call.args[: position + 1]
    if len(arguments) <= position or any(isinstance(each, ast.Starred) for each in arguments):
        return None
    return arguments[position]


def is_constant_statement(statement: ast.stmt) -> bool:
    """Return whether a statement is only a constant, such as a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


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
