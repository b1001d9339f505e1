"""Finds code of the main file that a spawned worker would run again because it is not under a main guard."""

from __future__ import annotations

import ast
import os
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

# An `if` whose condition mentions one of these names is a main guard.
_GUARD_NAMES = {"__name__", "parent_process", "current_process"}


def find_unguarded() -> str | None:
    """Return "file:line" of the running line of the main file, or None if workers do not run it again."""
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    name = getattr(getattr(main, "__spec__", None), "name", None) or ""
    # Workers do not run a package's __main__ or a main module without a file.
    if main is None or not path or not os.path.isfile(path) or name.rpartition(".")[2] == "__main__":
        return None
    line = _find_running_line(main)
    if line is None:
        return None
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return None
    is_guarded = any(
        node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in tree.body
        if isinstance(node, ast.If) and _is_guard(node.test)
    )
    return None if is_guarded else f"{os.path.basename(path)}:{line}"


def _is_guard(condition: ast.expr) -> bool:
    names = {node.id for node in ast.walk(condition) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(condition) if isinstance(node, ast.Attribute)}
    return bool(names & _GUARD_NAMES)


def _find_running_line(main: ModuleType) -> int | None:
    """Return the running line of the main module's top level, or None if the top level has finished."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None:
        if frame.f_globals is main.__dict__ and frame.f_code.co_name == "<module>":
            return frame.f_lineno
        frame = frame.f_back
    return None
