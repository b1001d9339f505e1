"""Finding the files of training code below the paths that a user names."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from torchdoctor.source.files.gitignore import IgnoreRule, is_ignored, read_ignore_file
from torchdoctor.source.files.unreadable import UnreadableSource

CODE = (".py", ".ipynb")
CONFIGURATION = (".yaml", ".yml", ".json", ".toml")
_SUFFIXES = CODE + CONFIGURATION
_SKIPPED_FOLDERS = frozenset(
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
        "build",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".ipynb_checkpoints",
        ".idea",
        ".vscode",
    }
)


def find_sources(paths: Iterable[Path]) -> Iterator[Path | UnreadableSource]:
    """Find the Python files, notebooks and configuration files among and below the paths, sorted.

    A file that is named is found whatever its folder; folders are searched without what Git
    ignores, environments, caches and build outputs. Links to folders are not followed.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _find_below(path):
            key = (
                found.path
                if isinstance(found, UnreadableSource)
                else os.path.normcase(os.path.abspath(found))
            )
            if key not in seen:
                seen.add(key)
                yield found


def _find_below(path: Path) -> Iterator[Path | UnreadableSource]:
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:
        yield UnreadableSource(str(path), str(error))
        return
    if is_folder:
        yield from _walk(str(path), os.path.abspath(path))
    elif is_file:
        yield path
    else:
        yield UnreadableSource(str(path), "there is no such file or folder")


def _walk(root: str, absolute_root: str) -> Iterator[Path | UnreadableSource]:
    pending = [(root, _inherited_rules(Path(absolute_root)))]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield UnreadableSource(folder, error.strerror or str(error))
            continue
        absolute = absolute_root + folder[len(root) :]
        if any(entry.name == ".gitignore" for entry in entries):
            rules += read_ignore_file(Path(absolute, ".gitignore"))
        kept = [entry for entry in entries if _is_kept(entry, absolute, rules)]
        pending += [(each.path, rules) for each in reversed(kept) if each.is_dir(follow_symlinks=False)]
        yield from (Path(each.path) for each in kept if not each.is_dir(follow_symlinks=False))


def _is_kept(entry: os.DirEntry[str], folder: str, rules: tuple[IgnoreRule, ...]) -> bool:
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
        if is_folder and (
            entry.name in _SKIPPED_FOLDERS or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
        ):
            return False
        if not is_folder and not (entry.name.lower().endswith(_SUFFIXES) and entry.is_file()):
            return False
    except OSError:
        return False
    return not (rules and is_ignored(rules, f"{folder}{os.sep}{entry.name}", is_folder))


def _inherited_rules(folder: Path) -> tuple[IgnoreRule, ...]:
    """Read the ignore files above a folder, up to the root of its repository."""
    above: list[Path] = []
    for parent in (folder, *folder.parents):
        if parent != folder:
            above.append(parent)
        if (parent / ".git").exists():
            return tuple(rule for each in reversed(above) for rule in read_ignore_file(each / ".gitignore"))
    return ()
