"""Finds the interpreter that a person works with."""

import os
import sys


def find_active_python() -> str:
    """Give the interpreter to examine by default: the activated environment's, else the doctor's own."""
    for variable, folders in (("VIRTUAL_ENV", ("Scripts", "bin")), ("CONDA_PREFIX", ("", "bin"))):
        root = os.environ.get(variable)
        for folder in folders if root else ():
            candidate = os.path.join(str(root), folder, "python.exe" if os.name == "nt" else "python")
            if os.path.isfile(candidate):
                return candidate
    return sys.executable
