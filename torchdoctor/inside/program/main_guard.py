"""Finds code of the main file that a spawned worker would run again, because no main guard holds it."""

from __future__ import annotations

import ast
import os
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

# A test that mentions one of these keeps workers out.
_GUARDS = {"__name__", "parent_process", "current_process"}


def find_unguarded() -> str | None:
    """Return "file:line" of the line of the main file that runs now; None where a main guard holds it."""
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    name = getattr(getattr(main, "__spec__", None), "name", None) or ""
    # A package's __main__ and a main module without a file are not run again.
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
        if isinstance(node, ast.If) and _mentions_guard(node.test)
    )
    return None if is_guarded else f"{os.path.basename(path)}:{line}"


def _mentions_guard(test: ast.expr) -> bool:
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(test) if isinstance(node, ast.Attribute)}
    return bool(names & _GUARDS)


def _find_running_line(main: ModuleType) -> int | None:
    """Return the line of the main file's top level that runs now, None after its end."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None:
        if frame.f_globals is main.__dict__ and frame.f_code.co_name == "<module>":
            return frame.f_lineno
        frame = frame.f_back
    return None
