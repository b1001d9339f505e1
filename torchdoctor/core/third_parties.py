"""Code of third parties that was imported: what it leaves behind must not show in the doctor's output."""

import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

# The modules that were imported; they may keep the process from ending.
imported_modules: list[str] = []
# Those that were not imported in time: each part of the doctor asks for its plugins, and none waits again.
hanging_modules: set[str] = set()


def hide_uncaught() -> None:
    """Print no traceback of what they raise where nobody can catch it: at the end of generators and threads.

    Only for a process of the doctor's own.
    """
    sys.unraisablehook = partial(_show, sys.unraisablehook)
    threading.excepthook = partial(_show, threading.excepthook)


def _show(show: Callable[[Any], object], event: object) -> None:
    if not imported_modules:
        show(event)
