"""Describes the interpreter: its version, import path and distributions, and where it would find torch."""

from __future__ import annotations

import os
import sys

from .answers import read_message, write_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def main(answer_file: str) -> None:
    """Write the description to the answer file."""
    write_answer(answer_file, describe())


def describe() -> dict[str, object]:
    """Return the description as a JSON object."""
    original_path = sys.path[:]
    put_library_first()
    import json  # noqa: F401 (write_answer uses it)
    import platform
    import site
    import sysconfig

    program = find_program()
    sys.path[:] = original_path
    try:
        user_base: str | None = site.getuserbase()
    except Exception:
        user_base = None
    return {
        "executable": sys.executable or "",
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "bits": 64 if sys.maxsize > 2**32 else 32,
        "platform_tag": sysconfig.get_platform(),
        "prefix": sys.exec_prefix,
        "base_prefix": sys.base_exec_prefix,
        "application_folder": os.path.dirname(program),
        "user_base": user_base,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "import_path": [entry for entry in sys.path if isinstance(entry, str)],
        "distributions": list(find_distributions()),
        "torch": find_torch(),
        "has_pip": has_pip(),
    }


def find_program() -> str:
    """Return the path of the program that this process runs; on Windows, DLLs beside it are found first.

    The python.exe of a virtual environment only starts the one of the base interpreter.
    """
    if sys.platform == "win32":
        try:
            return _read_program_on_windows()
        except Exception:
            # An installation may lack ctypes, or have a damaged one.
            pass
    return getattr(sys, "_base_executable", None) or sys.executable or ""


if sys.platform == "win32":

    def _read_program_on_windows() -> str:
        """Return the file of the main module, which sys._base_executable does not always name.

        Raises:
            OSError: Windows does not name it.
        """
        import ctypes
        from ctypes import wintypes

        # The longest path that Windows has, in characters.
        size = 32768
        buffer = ctypes.create_unicode_buffer(size)
        function = ctypes.WinDLL("kernel32").GetModuleFileNameW
        function.argtypes = [wintypes.HMODULE, wintypes.LPWSTR, wintypes.DWORD]
        if not function(None, buffer, size):
            raise ctypes.WinError()
        return buffer.value


def put_library_first() -> None:
    """Put the standard library first on the import path, before a json.py in a folder on PYTHONPATH."""
    library = os.path.dirname(os.__file__)
    folders = (library, os.path.join(library, "lib-dynload"), os.path.join(os.path.dirname(library), "DLLs"))
    sys.path.sort(key=lambda folder: folder not in folders)


def find_distributions() -> Iterator[list[str]]:
    """Yield the name, version and folder of each distribution, read from the names of metadata folders."""
    visited = set()
    for folder in sys.path:
        if not isinstance(folder, str) or os.path.normcase(folder) in visited:
            continue
        visited.add(os.path.normcase(folder))
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            stem, dot, suffix = name.rpartition(".")
            if dot and suffix in ("dist-info", "egg-info"):
                parts = stem.split("-")
                yield [parts[0], parts[1] if len(parts) > 1 else "", folder]


def has_pip() -> bool:
    """Return whether pip would be imported from a file; it is not imported."""
    from importlib.machinery import PathFinder

    return PathFinder.find_spec("pip") is not None


def find_torch() -> dict[str, str | None] | None:
    """Return where torch would be imported from, or None if it is not found; torch is not imported."""
    import importlib.util

    try:
        spec = importlib.util.find_spec("torch")
    except Exception as error:
        return {"error": f"{type(error).__name__}: {read_message(error)}"}
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec.has_location else None
    return {"origin": origin, "folder": folders[0] if folders else os.path.dirname(origin or "")}
