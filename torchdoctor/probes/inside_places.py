"""Runs in the examined interpreter: finds where in the user's files something was made.

Standard library only, Python 3.8 syntax.
"""

import ast
import functools
import os
import sys
import types


def describe_place(place):
    """Write file and line as people do, the file relative to the current folder or the import path."""
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
    return "%s:%d" % (best, line)


def is_user_file(path):
    """Tell whether a file is the user's: not the standard library, not an installed package."""
    if not path or path.startswith("<") or "site-packages" in path or "dist-packages" in path:
        return False
    return not os.path.abspath(path).startswith(os.path.dirname(os.path.abspath(os.__file__)) + os.sep)


def find_definition(value, anywhere=False):
    """Give the place in the user's files, or anywhere, where a function, class or generator is written.

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


def find_class(cls):
    """Give file and line of a class statement of the user's."""
    path = _find_file(cls)
    if path is None or not is_user_file(path):
        return None
    node = _find_class_node(path, cls.__qualname__)
    return None if node is None else (path, node.lineno)


def find_assignment(cls, attribute):
    """Give file and line where a class, or a base of it, assigns an attribute of its instances."""
    for base in cls.__mro__:
        path = _find_file(base)
        if path is None or not is_user_file(path):
            continue
        node = _find_class_node(path, base.__qualname__)
        for item in ast.walk(node) if node is not None else ():
            targets = (
                item.targets
                if isinstance(item, ast.Assign)
                else [item.target]
                if isinstance(item, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr))
                else [entry.optional_vars for entry in item.items]
                if isinstance(item, ast.With)
                else []
            )
            for target in targets:
                for part in ast.walk(target) if target is not None else ():
                    if (
                        isinstance(part, ast.Attribute)
                        and part.attr == attribute
                        and isinstance(part.value, ast.Name)
                    ):
                        return path, item.lineno
                    if isinstance(part, ast.Name) and part.id == attribute and item in node.body:
                        return path, item.lineno
    return None


def find_raising_place(error):
    """Give the last line of the user's code that an exception came through, None without one."""
    place = None
    trace = error.__traceback__
    while trace is not None:
        path = os.path.abspath(trace.tb_frame.f_code.co_filename)
        if not trace.tb_frame.f_code.co_filename.startswith("<") and is_user_file(path):
            place = (path, trace.tb_lineno)
        trace = trace.tb_next
    return describe_place(place)


def _find_file(cls):
    module = sys.modules.get(cls.__module__)
    path = getattr(module, "__file__", None)
    return os.path.abspath(path) if path else None


@functools.lru_cache(maxsize=None)
def _parse(path):
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return None


def _find_class_node(path, qualified):
    """Find a class statement by its qualified name, in functions as well."""
    node = _parse(path)
    for name in qualified.replace(".<locals>", "").split("."):
        if node is None:
            return None
        node = next(
            (
                item
                for item in ast.walk(node)
                if item is not node
                and isinstance(item, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
                and item.name == name
            ),
            None,
        )
    return node
