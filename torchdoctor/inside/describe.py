"""Describe the interpreter: what it is, its import path, its distributions, and where it would find torch."""

from __future__ import annotations

import os
import sys

from .answers import write_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def main(answer_file: str) -> None:
    """Write the description."""
    write_answer(answer_file, describe())


def describe() -> dict[str, object]:
    """Return the description as plain data."""
    given = sys.path[:]
    put_library_first()
    import json  # noqa: F401 (the answer is written with it)
    import platform
    import site
    import sysconfig

    sys.path[:] = given
    base = getattr(sys, "_base_executable", None) or sys.executable or ""
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
        "application_folder": os.path.dirname(base),
        "user_base": user_base,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "import_path": [entry for entry in sys.path if isinstance(entry, str)],
        "distributions": list(find_distributions()),
        "torch": find_torch(),
    }


def put_library_first() -> None:
    """Let imports find the standard library before a json.py of a folder on PYTHONPATH."""
    library = os.path.dirname(os.__file__)
    places = (library, os.path.join(library, "lib-dynload"), os.path.join(os.path.dirname(library), "DLLs"))
    sys.path.sort(key=lambda folder: folder not in places)


def find_distributions() -> Iterator[list[str]]:
    """Yield name, version and folder of each distribution, read from the names of its metadata folders."""
    seen = set()
    for folder in sys.path:
        if not isinstance(folder, str) or os.path.normcase(folder) in seen:
            continue
        seen.add(os.path.normcase(folder))
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            stem, dot, suffix = name.rpartition(".")
            if dot and suffix in ("dist-info", "egg-info"):
                parts = stem.split("-")
                yield [parts[0], parts[1] if len(parts) > 1 else "", folder]


def find_torch() -> dict[str, str | None] | None:
    """Return where an import would find torch, None where it would not; torch is not run."""
    import importlib.util

    try:
        spec = importlib.util.find_spec("torch")
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec.has_location else None
    return {"origin": origin, "folder": folders[0] if folders else os.path.dirname(origin or "")}
