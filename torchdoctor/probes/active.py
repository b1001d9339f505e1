"""Finds the Python interpreter to examine by default."""

import os
import sys


def find_active_python() -> str:
    """Return the Python of the activated environment, or else the one that runs the doctor."""
    for variable, folders in (("VIRTUAL_ENV", ("Scripts", "bin")), ("CONDA_PREFIX", ("", "bin"))):
        root = os.environ.get(variable)
        if not root:
            continue
        for folder in folders:
            candidate = os.path.join(root, folder, "python.exe" if os.name == "nt" else "python")
            if os.path.isfile(candidate):
                return candidate
    return sys.executable
