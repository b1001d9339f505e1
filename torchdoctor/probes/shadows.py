"""Observes files that are imported in place of torch, or of what torch imports."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from torchdoctor.facts import ImportShadows, Shadow, TorchInstall
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.torch import find_plain_module, observe_torch_install

# Folders with an __init__.py all, but for typing_extensions and old releases of filelock.
PACKAGES = ("numpy", "typing_extensions", "sympy", "networkx", "jinja2", "fsspec", "filelock")
# The modules of the standard library that `import torch` loads after Python's own start-up, as
# sys.modules of torch 2.15.0 on Python 3.11 for Windows shows them; without built-in and frozen ones.
STANDARD_LIBRARY = (
    "argparse", "ast", "asyncio", "base64", "bisect", "bz2", "calendar", "collections", "concurrent",
    "contextlib", "contextvars", "copy", "copyreg", "csv", "ctypes", "dataclasses", "datetime", "difflib",
    "dis", "email", "enum", "fnmatch", "functools", "gettext", "glob", "graphlib", "gzip", "hashlib", "heapq",
    "hmac", "http", "inspect", "ipaddress", "json", "keyword", "linecache", "locale", "logging", "lzma",
    "multiprocessing", "numbers", "opcode", "operator", "pathlib", "pickle", "pickletools", "pkgutil",
    "platform", "pprint", "queue", "quopri", "random", "re", "reprlib", "secrets", "select", "selectors",
    "shutil", "signal", "socket", "ssl", "string", "struct", "subprocess", "sysconfig", "tarfile", "tempfile",
    "textwrap", "threading", "timeit", "token", "tokenize", "traceback", "types", "typing", "unittest",
    "urllib", "uuid", "warnings", "weakref", "zipfile",
)  # fmt: skip


def observe_import_shadows(examined: Examined) -> ImportShadows:
    """Look into the folders that are asked before the standard library, and before torch's own folder.

    The current folder is asked first by `python -m` and `python -c`, and is mostly the folder of the script.
    """
    install, current = observe_torch_install(examined), Path.cwd()
    path = [Path(entry) for entry in examined.interpreter.import_path if entry]
    before_library = _take_until(path, lambda folder: (folder / "os.py").is_file())
    home = Path(install.package_folder).parent if isinstance(install, TorchInstall) else None
    before_torch = _take_until(path, lambda folder: folder == home) if home else before_library
    shadows: list[Shadow] = []
    looked_into = dict.fromkeys([*before_library, *before_torch])
    if os.environ.get("PYTHONSAFEPATH", "") == "" and not _is_known_place(current, path):
        shadows += _find_shadows(current, "current folder", home, is_before_library=True)
        looked_into = dict.fromkeys([current, *looked_into])
    for folder in before_library:
        shadows += _find_shadows(folder, "PYTHONPATH", home, is_before_library=True)
    for folder in before_torch:
        if folder not in before_library:
            shadows += _find_shadows(folder, "import path", home, is_before_library=False)
    module = find_plain_module(examined.description)
    if module and all(shadow.path != module for shadow in shadows):
        shadows.append(Shadow("torch", module, "import path", "torch"))
    return ImportShadows(tuple(shadows), tuple(str(folder) for folder in looked_into))


def _take_until(path: list[Path], is_end: Callable[[Path], bool]) -> list[Path]:
    index = next((index for index, folder in enumerate(path) if is_end(folder)), None)
    return path[:index] if index is not None else []


def _is_known_place(current: Path, path: Iterable[Path]) -> bool:
    # In a folder of the import path nothing is hidden, and the folder of a package is no place to start from.
    return current in path or (current / "__init__.py").is_file()


def _find_shadows(
    folder: Path, source: str, home: Path | None, *, is_before_library: bool
) -> Iterator[Shadow]:
    if folder == home:
        return
    try:
        names = frozenset(os.listdir(folder))
    except OSError:
        return
    groups = [(("torch",), "torch"), (PACKAGES, "package")]
    if is_before_library:
        groups.append((STANDARD_LIBRARY, "standard library"))
    for modules, hides in groups:
        for module in modules:
            found = _find_module(folder, names, module)
            # What lies on the import path before torch is where packages are kept: NumPy may well be there.
            is_kept = hides == "package" and source != "current folder" and not _is_stray(found, names)
            if found is not None and not is_kept:
                yield Shadow(module, str(found), source, hides)


def _is_stray(found: Path | None, names: Iterable[str]) -> bool:
    """Tell whether a file numpy.py is nobody's package: an installed one has its record beside it."""
    if found is None or found.suffix != ".py":
        return False
    record = re.compile(rf"{found.stem}(?:-[^-]+)*\.(?:dist|egg)-info", re.IGNORECASE)
    return not any(map(record.fullmatch, names))


def _find_module(folder: Path, names: frozenset[str], module: str) -> Path | None:
    if module in names and (folder / module / "__init__.py").is_file():
        return folder / module
    return folder / f"{module}.py" if f"{module}.py" in names else None
