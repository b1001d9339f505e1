"""Finds the place in the user's files where something is defined, assigned or raised."""

from __future__ import annotations

import ast
import functools
import os
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Optional

    # A path and a line.
    Place = Optional[tuple[str, int]]

_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
# The folder of torchdoctor's code in this process.
_INSIDE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def describe_place(place: Place) -> str | None:
    """Return "file:line", with the file relative to the current folder or a folder of the import path."""
    if place is None:
        return None
    path, line = place
    shortest = path
    for folder in [os.getcwd()] + [entry for entry in sys.path if isinstance(entry, str) and entry]:
        try:
            relative = os.path.relpath(path, folder)
        except ValueError:
            continue
        if not relative.startswith(os.pardir) and len(relative) < len(shortest):
            shortest = relative
    return f"{shortest}:{line}"


def is_user_file(path: str | None) -> bool:
    """Return whether a file is outside the standard library, installed packages and torchdoctor."""
    if not path or path.startswith("<") or "site-packages" in path or "dist-packages" in path:
        return False
    return not os.path.abspath(path).startswith((_LIBRARY, _INSIDE))


def find_definition(value: Any, anywhere: bool = False) -> str | None:
    """Return where a function, class or generator is defined, or None for values of other kinds.

    Only the user's files count; with `anywhere`, functions and generators are found in other files too.
    """
    value = getattr(value, "__func__", value)
    for name in ("__code__", "gi_code", "cr_code", "ag_code"):
        code = getattr(value, name, None)
        if isinstance(code, types.CodeType) and (anywhere or is_user_file(code.co_filename)):
            return describe_place((os.path.abspath(code.co_filename), code.co_firstlineno))
    if isinstance(value, type):
        return describe_place(find_class(value))
    return None


def find_class(cls: type) -> Place:
    """Return file and line of a class statement in the user's files, or None."""
    path = _find_class_file(cls)
    if path is None or not is_user_file(path):
        return None
    node = _find_class_node(path, cls.__qualname__)
    return None if node is None else (path, node.lineno)


def find_assignment(cls: type, attribute: str) -> Place:
    """Return file and line where a class or a base of it assigns an attribute of its instances, or None."""
    for base in cls.__mro__:
        path = _find_class_file(base)
        node = _find_class_node(path, base.__qualname__) if path and is_user_file(path) else None
        if path is None or node is None:
            continue
        for statement in ast.walk(node):
            for part in (part for target in _list_targets(statement) for part in ast.walk(target)):
                is_in_body = statement in node.body
                if _is_attribute(part, attribute) or (is_in_body and _is_name(part, attribute)):
                    return path, statement.lineno  # type: ignore[attr-defined]
    return None


def _list_targets(node: ast.AST) -> list[ast.expr]:
    """Return the targets that a statement assigns to."""
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        return [node.target]
    if isinstance(node, ast.With):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return []


def _is_attribute(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def find_raising_place(error: BaseException) -> str | None:
    """Return the innermost line of the user's code in the traceback of an exception, or None."""
    place = None
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if is_user_file(path):
            place = (os.path.abspath(path), trace.tb_lineno)
        trace = trace.tb_next
    return describe_place(place)


def _find_class_file(cls: type) -> str | None:
    module = sys.modules.get(cls.__module__)
    path = getattr(module, "__file__", None)
    return os.path.abspath(path) if path else None


@functools.lru_cache(maxsize=None)
def _parse(path: str) -> ast.Module | None:
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return None


def _find_class_node(path: str, qualified_name: str) -> Any:
    """Return the class statement with a qualified name, which may be inside a function, or None."""
    node: ast.AST | None = _parse(path)
    for name in qualified_name.replace(".<locals>", "").split("."):
        if node is None:
            return None
        node = next(_find_definitions(node, name), None)
    return node


def _find_definitions(node: ast.AST, name: str) -> Iterator[ast.AST]:
    for item in ast.walk(node):
        if item is not node and isinstance(item, _DEFINITIONS) and item.name == name:
            yield item
