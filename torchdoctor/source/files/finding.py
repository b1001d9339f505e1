"""Finding files of training code and configuration in the paths that a user names."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from torchdoctor.core.files import read_start
from torchdoctor.source.files.gitignore import IgnoreFile, is_ignored, read_ignore_file
from torchdoctor.source.files.unreadable import UnreadableSource

# Windows runs a .pyw without a console.
PYTHON_SUFFIXES = (".py", ".pyw")
CODE_SUFFIXES = (*PYTHON_SUFFIXES, ".ipynb")
CONFIGURATION_SUFFIXES = (".yaml", ".yml", ".json", ".toml")
_SUFFIXES = (*CODE_SUFFIXES, *CONFIGURATION_SUFFIXES)
# Files of Python that are read if they are named: declarations, and scripts that say what runs them.
_NAMED_SUFFIX = ".pyi"
_PYTHON_SCRIPT = re.compile(rb"#![^\n]*python")
SKIPPED_FOLDERS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".tox",
        ".nox",
        ".venv",
        "venv",
        ".eggs",
        "__pycache__",
        "node_modules",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".ipynb_checkpoints",
        ".idea",
        ".vscode",
    }
)
# A folder of this name is of a build, or of the code that builds something.
_BUILD = "build"
_BUILD_OUTPUT = re.compile(r"(?:lib|bdist\..*|lib\..*|temp\..*|CMakeFiles|CMakeCache\.txt|index\.html)")

_NO_CODE = (
    f"it is neither Python code ({', '.join(CODE_SUFFIXES)}) nor configuration"
    f" ({', '.join(CONFIGURATION_SUFFIXES)})"
)


def find_sources(paths: Iterable[Path]) -> Iterator[Path | UnreadableSource]:
    """Yield the Python files, notebooks and configuration files that the paths name or contain.

    Each folder's files are sorted, and no file is yielded twice; links to files come last, and only if the
    file itself is not found. A named file is yielded whatever its folder. Below a named folder, files that
    Git ignores, environments, caches and build outputs are skipped, and links to folders are not followed.
    """
    seen: set[str] = set()
    links: list[Path] = []
    named: list[Path] = []
    for path in paths:
        named.append(path)
        found_links: set[str] = set()
        for source in _find_in(path, found_links):
            if isinstance(source, Path) and str(source) in found_links:
                links.append(source)
                continue
            key = source.path if isinstance(source, UnreadableSource) else os.path.abspath(source)
            if (key := os.path.normcase(key)) not in seen:
                seen.add(key)
                yield source
    targets = _find_targets(seen, named) if links else set()
    for link in links:
        if (target := os.path.normcase(os.path.realpath(link))) not in targets:
            targets.add(target)
            yield link


def _find_targets(files: Iterable[str], named: Iterable[Path]) -> set[str]:
    """Return the files behind some files, of which only named ones can be links."""
    # What is behind a folder is asked once: it takes a call of the system for each part of the path.
    folders: dict[str, str] = {}
    for file in files:
        folder = os.path.dirname(file)
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
    found = {os.path.join(folders[os.path.dirname(file)], os.path.basename(file)) for file in files}
    return found.union(os.path.normcase(os.path.realpath(each)) for each in named)


def _find_in(path: Path, links: set[str]) -> Iterator[Path | UnreadableSource]:
    try:
        is_folder, is_file = os.path.isdir(path), os.path.isfile(path)
    except (OSError, ValueError) as error:
        yield UnreadableSource(str(path), str(error))
        return
    if is_folder:
        yield from _walk_folder(str(path), os.path.abspath(path), links)
    elif is_file:
        yield path if _is_code(path) else UnreadableSource(str(path), _NO_CODE)
    else:
        exists = os.path.lexists(path)
        reason = "neither a file nor a folder" if exists else "there is no such file or folder"
        yield UnreadableSource(str(path), reason)


def _is_code(path: Path) -> bool:
    """Return whether a file that was named is Python code or configuration."""
    if path.suffix.lower() in (*_SUFFIXES, _NAMED_SUFFIX):
        return True
    try:
        return _PYTHON_SCRIPT.match(read_start(path, 200)) is not None
    except (OSError, ValueError):
        # Reading it says why it cannot be read.
        return True


def _walk_folder(root: str, absolute_root: str, links: set[str]) -> Iterator[Path | UnreadableSource]:
    """Yield the files below a folder, and add those that are links to `links`: the listing knows them."""
    pending = [(root, _read_inherited_ignores(Path(absolute_root)))]
    while pending:
        folder, ignores = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield UnreadableSource(folder, error.strerror or str(error))
            continue
        absolute = absolute_root + folder[len(root) :]
        if any(entry.name == ".gitignore" for entry in entries):
            ignores = (*ignores, *_read_ignores(Path(absolute)))
        kept = [entry for entry in entries if _is_kept(entry, absolute, ignores)]
        pending += [(entry.path, ignores) for entry in reversed(kept) if entry.is_dir(follow_symlinks=False)]
        for entry in kept:
            if not entry.is_dir(follow_symlinks=False):
                path = Path(entry.path)
                if entry.is_symlink():
                    links.add(str(path))
                yield path


def _is_kept(entry: os.DirEntry[str], folder: str, ignores: tuple[IgnoreFile, ...]) -> bool:
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
        if is_folder and (
            entry.name in SKIPPED_FOLDERS
            or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
            or (entry.name == _BUILD and _is_build_output(entry.path))
        ):
            return False
        if not is_folder and not (entry.name.lower().endswith(_SUFFIXES) and entry.is_file()):
            return False
    except OSError:
        return False
    return not (ignores and is_ignored(ignores, f"{folder}{os.sep}{entry.name}", is_folder))


def _is_build_output(folder: str) -> bool:
    """Return whether a folder has what setuptools, CMake or a packer of web pages writes, or no own code."""
    names = os.listdir(folder)
    return any(map(_BUILD_OUTPUT.fullmatch, names)) or not any(
        name.endswith(PYTHON_SUFFIXES) for name in names
    )


def _read_ignores(folder: Path) -> tuple[IgnoreFile, ...]:
    """Return the rules of the ignore file in a folder; () if there is none."""
    file = read_ignore_file(folder / ".gitignore")
    return () if file is None else (file,)


def _read_inherited_ignores(folder: Path) -> tuple[IgnoreFile, ...]:
    """Read the ignore files of the folders above, up to the repository's root; () outside a repository."""
    parents: list[Path] = []
    for ancestor in (folder, *folder.parents):
        if ancestor != folder:
            parents.append(ancestor)
        if os.path.exists(ancestor / ".git"):
            return tuple(file for parent in reversed(parents) for file in _read_ignores(parent))
    return ()
