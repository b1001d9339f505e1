"""Import packages of which the wheel has copies, such as typer; a clone imports the installed ones.

The copies are modules of `torchdoctor.vendored`: an installed version is neither used nor changed, and a
plugin can import it.
"""

import importlib
from types import ModuleType


def import_vendored(name: str) -> ModuleType:
    """Import a module from the copies if there are any, else the installed one.

    Raises:
        ModuleNotFoundError: this is a clone, and the module is not installed.
    """
    return importlib.import_module(f"torchdoctor.vendored.{name}" if find_copies() else name)


def find_copies() -> tuple[str, ...]:
    """Return the folder of the copies as a path to import from, or nothing in a clone."""
    try:
        return tuple(importlib.import_module("torchdoctor.vendored").__path__)
    except ModuleNotFoundError:
        return ()
