"""The files that import a script, which a main guard would take its names away from."""

import os
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.source.files.finding import CODE_SUFFIXES, find_sources

# So many folders above a file, and so many files, are looked at.
_MOST_FOLDERS = 4
_MOST_FILES = 5_000
_LARGEST_FILE = 4_000_000


def find_importer(path: str, roots: Iterable[Path]) -> str | None:
    """Return a file that imports or runs a script by its name, None if there is none.

    Files are looked for below the roots and in the project of the script, as far as a `.git` shows one.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    stem = os.path.basename(folder) if name == "__init__.py" else name.rpartition(".")[0]
    package = os.path.basename(os.path.dirname(folder) if name == "__init__.py" else folder)
    imports = re.compile(_make_pattern(stem, package).encode(), re.MULTILINE)
    for found in islice(find_sources([*roots, Path(_find_project(folder))]), _MOST_FILES):
        if not isinstance(found, Path) or found.suffix.lower() not in CODE_SUFFIXES:
            continue
        try:
            if os.path.realpath(found) != target and os.path.getsize(found) <= _LARGEST_FILE:
                raw = read_bytes(found)
                if stem.encode() in raw and imports.search(raw):
                    return str(found)
        except (OSError, ValueError):
            continue
    return None


def _find_project(folder: str) -> str:
    above = folder
    for _ in range(_MOST_FOLDERS):
        if os.path.exists(os.path.join(above, ".git")):
            return above
        above = os.path.dirname(above)
    return folder


def _make_pattern(stem: str, package: str) -> str:
    stem, package = re.escape(stem), re.escape(package)
    # The lines of a notebook are strings.
    start = r"(?:^|\")[ \t]*"
    return (
        rf"{start}from[ \t]+[\w.]*(?<![\w]){stem}(?:\.\w+)?[ \t]+import\b"
        rf"|{start}import[ \t]+(?:[\w., \t]*[ \t.,])?{stem}\b"
        rf"|{start}from[ \t]+(?:\.+|[\w.]*\b{package})[ \t]+import[ \t]+[^\n]*\b{stem}\b"
        rf"|\b(?:import_module|run_path|run_module|__import__)\([ \t]*f?['\"][^'\"\n]*\b{stem}(?:\.py)?['\"]"
    )
