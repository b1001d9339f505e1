"""Where in the user's files something was made."""

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
# The folder of this code, which is not the user's.
_INSIDE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def describe_place(place: Place) -> str | None:
    """Write file and line, the file relative to the current folder or the import path."""
    if place is None:
        return None
    path, line = place
    best = path
    for folder in [os.getcwd()] + [entry for entry in sys.path if isinstance(entry, str) and entry]:
        try:
            relative = os.path.relpath(path, folder)
        except ValueError:
            continue
        if not relative.startswith(os.pardir) and len(relative) < len(best):
            best = relative
    return f"{best}:{line}"


def is_user_file(path: str | None) -> bool:
    """Return whether a file is neither of the standard library nor of an installed package, nor ours."""
    if not path or path.startswith("<") or "site-packages" in path or "dist-packages" in path:
        return False
    return not os.path.abspath(path).startswith((_LIBRARY, _INSIDE))


def find_definition(value: Any, anywhere: bool = False) -> str | None:
    """Find where a function, class or generator is written, in the user's files or anywhere.

    None for values of other kinds.
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
    """Find file and line of a class statement of the user's."""
    path = _find_file(cls)
    if path is None or not is_user_file(path):
        return None
    node = _find_class_node(path, cls.__qualname__)
    return None if node is None else (path, node.lineno)


def find_assignment(cls: type, attribute: str) -> Place:
    """Find file and line where a class, or a base of it, assigns an attribute of its instances."""
    for base in cls.__mro__:
        path = _find_file(base)
        node = _find_class_node(path, base.__qualname__) if path and is_user_file(path) else None
        if path is None or node is None:
            continue
        for item in ast.walk(node):
            for part in (part for target in _list_targets(item) for part in ast.walk(target)):
                is_in_body = item in node.body
                if _is_attribute(part, attribute) or (is_in_body and _is_name(part, attribute)):
                    return path, item.lineno  # type: ignore[attr-defined]
    return None


def _list_targets(item: ast.AST) -> list[ast.expr]:
    """List what a statement assigns to."""
    if isinstance(item, ast.Assign):
        return item.targets
    if isinstance(item, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        return [item.target]
    if isinstance(item, ast.With):
        return [entry.optional_vars for entry in item.items if entry.optional_vars is not None]
    return []


def _is_attribute(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def find_raising_place(error: BaseException) -> str | None:
    """Find the last line of the user's code that an exception passed through."""
    place = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if is_user_file(name):
            place = (os.path.abspath(name), trace.tb_lineno)
        trace = trace.tb_next
    return describe_place(place)


def _find_file(cls: type) -> str | None:
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


def _find_class_node(path: str, qualified: str) -> Any:
    """Find a class statement by its qualified name, in functions as well."""
    node: ast.AST | None = _parse(path)
    for name in qualified.replace(".<locals>", "").split("."):
        if node is None:
            return None
        node = next(_find_definitions(node, name), None)
    return node


def _find_definitions(node: ast.AST, name: str) -> Iterator[ast.AST]:
    for item in ast.walk(node):
        if item is not node and isinstance(item, _DEFINITIONS) and item.name == name:
            yield item
