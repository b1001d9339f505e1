"""Observes files that are imported in place of torch, or in place of a module that torch imports."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from torchdoctor.core.files import find_current_folder
from torchdoctor.facts import Absent, ImportShadows, Shadow, TorchInstall
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.stand_ins import find_failures
from torchdoctor.probes.torch_install import find_shadowing_file, observe_torch_install
from torchdoctor.probes.torch_trials import SECOND_TRIAL_SECONDS, observe_torch_import_trial

# All are folders with an __init__.py, except typing_extensions and old releases of filelock.
PACKAGES = ("numpy", "typing_extensions", "sympy", "networkx", "jinja2", "fsspec", "filelock")
# The modules of the standard library that `import torch` loads after Python's start-up, without built-in and
# frozen ones: from sys.modules of torch 2.15.0 on Python 3.11 for Windows.
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
    """Search the folders that Python searches before the standard library, and before torch's own folder.

    `python -m` and `python -c` search the current folder first. `python FILE` searches the folder of the file
    first, which is mostly the current folder too.
    """
    install, current = observe_torch_install(examined), find_current_folder()
    path = [Path(entry) for entry in examined.interpreter.import_path if entry]
    folders_before_library = _find_folders_before(path, lambda folder: os.path.isfile(folder / "os.py"))
    site_folder = Path(install.package_folder).parent if isinstance(install, TorchInstall) else None
    if site_folder:
        folders_before_torch = _find_folders_before(path, lambda folder: folder == site_folder)
    else:
        folders_before_torch = folders_before_library
    shadows: list[Shadow] = []
    searched_folders = dict.fromkeys([*folders_before_library, *folders_before_torch])
    is_searched = os.environ.get("PYTHONSAFEPATH", "") == ""
    if current is not None and is_searched and not _is_harmless_folder(current, path):
        shadows += _find_shadows(current, "current folder", site_folder, is_before_library=True)
        searched_folders = dict.fromkeys([current, *searched_folders])
    for folder in folders_before_library:
        shadows += _find_shadows(folder, "PYTHONPATH", site_folder, is_before_library=True)
    for folder in folders_before_torch:
        if folder not in folders_before_library:
            shadows += _find_shadows(folder, "import path", site_folder, is_before_library=False)
    module = find_shadowing_file(examined.description)
    if module and all(shadow.path != module for shadow in shadows):
        shadows.append(Shadow("torch", module, "import path", "torch"))
    shadows = _try_shadows(shadows, examined)
    return ImportShadows(tuple(shadows), tuple(str(folder) for folder in searched_folders))


def _try_shadows(shadows: list[Shadow], examined: Examined) -> list[Shadow]:
    """Return the shadows, those in the current folder with what they do to `import torch`.

    Without them torch has to be importable; the trial has not the current folder on its import path.
    """
    files = {shadow.module: Path(shadow.path) for shadow in shadows if shadow.source == "current folder"}
    if not files or "torch" in files:
        return shadows
    trial = observe_torch_import_trial(examined)
    if isinstance(trial, Absent) or trial.outcome != "imported":
        return shadows
    limit_seconds = min(SECOND_TRIAL_SECONDS, trial.time_limit_seconds)
    failures = find_failures(examined.executable, files, limit_seconds)
    return [
        replace(shadow, failure=failures[shadow.module])
        if shadow.source == "current folder" and shadow.module in failures
        else shadow
        for shadow in shadows
    ]


def _find_folders_before(path: list[Path], is_end: Callable[[Path], bool]) -> list[Path]:
    """Return the folders of an import path before the first end folder; none if there is no end folder."""
    index = next((index for index, folder in enumerate(path) if is_end(folder)), None)
    return path[:index] if index is not None else []


def _is_harmless_folder(current: Path, path: Iterable[Path]) -> bool:
    # A folder of the import path is searched anyway, and programs are not started in the folder of a package.
    return current in path or os.path.isfile(current / "__init__.py")


def _find_shadows(
    folder: Path, source: str, site_folder: Path | None, *, is_before_library: bool
) -> Iterator[Shadow]:
    if folder == site_folder:
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
            module_path = _find_module(folder, names, module)
            if module_path is None:
                continue
            # Packages may be installed in a folder that precedes torch's on the import path.
            can_be_installed = hides == "package" and source != "current folder"
            if not can_be_installed or _is_stray(module_path, names):
                yield Shadow(module, str(module_path), source, hides)


def _is_stray(module_path: Path, names: Iterable[str]) -> bool:
    """Return whether a file like numpy.py was not installed: it has no dist-info or egg-info beside it."""
    if module_path.suffix != ".py":
        return False
    record = re.compile(rf"{module_path.stem}(?:-[^-]+)*\.(?:dist|egg)-info", re.IGNORECASE)
    return not any(map(record.fullmatch, names))


def _find_module(folder: Path, names: frozenset[str], module: str) -> Path | None:
    if module in names and os.path.isfile(folder / module / "__init__.py"):
        return folder / module
    return folder / f"{module}.py" if f"{module}.py" in names else None
