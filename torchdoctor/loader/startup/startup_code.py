"""Finds code that a spawned worker would run again: the main file's, outside of a main guard."""

import ast
import os
import sys
import threading

# A test that mentions one of these keeps workers out.
_GUARDS = {"__name__", "parent_process", "current_process"}


def find_unguarded() -> "str | None":
    """Give "file:line" of the main file if that line runs now and no main guard holds it; else None."""
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    name = getattr(getattr(main, "__spec__", None), "name", None) or ""
    # A package's __main__ and a main without a file are not run again.
    if not path or name == "__main__" or name.endswith(".__main__") or not os.path.isfile(path):
        return None
    line = _find_running_line(main)
    if line is None:
        return None
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return None
    guarded = any(
        node.lineno <= line <= node.end_lineno
        for node in tree.body
        if isinstance(node, ast.If) and _mentions_guard(node.test)
    )
    return None if guarded else "%s:%d" % (os.path.basename(path), line)


def _mentions_guard(test):
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(test) if isinstance(node, ast.Attribute)}
    return bool(names & _GUARDS)


def _find_running_line(main):
    """Give the line of the main file's top level that runs now, None after its end."""
    frame = sys._current_frames().get(threading.main_thread().ident)
    while frame is not None:
        if frame.f_globals is main.__dict__ and frame.f_code.co_name == "<module>":
            return frame.f_lineno
        frame = frame.f_back
    return None
