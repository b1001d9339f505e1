"""Checks that a project ignores in some of its paths: `"examples/**" = ["missing-main-guard"]`."""

import os
from collections.abc import Iterable
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.source.files.gitignore import IgnoreFile, is_ignored, parse_rules


@record
class PathIgnore:
    """A glob in the syntax of `.gitignore`, as rules for a folder, and the names that it ignores there."""

    rules: IgnoreFile
    names: frozenset[str]

    def covers(self, path: str) -> bool:
        """Return whether a path, or a folder that it lies in, matches."""
        absolute = os.path.abspath(path)
        if is_ignored((self.rules,), absolute, is_folder=False):
            return True
        folders = (str(folder) for folder in Path(absolute).parents)
        return any(
            is_ignored((self.rules,), folder, is_folder=True)
            for folder in folders
            if len(folder) > len(self.rules.folder)
        )


def make_path_ignore(folder: Path, glob: str, names: Iterable[str]) -> PathIgnore:
    """Make the rule of a glob that is relative to a folder.

    Raises:
        UsageError: the glob cannot be read.
    """
    rules = parse_rules(str(folder), (glob.replace("\\", "/"),))
    if rules is None or glob.startswith("!"):
        raise UsageError(f"{glob!r} is no glob that is understood")
    parsed = frozenset(name.strip().replace("_", "-") for name in names)
    return PathIgnore(rules, parsed)


def is_path_ignored(ignores: Iterable[PathIgnore], path: str, names: Iterable[str]) -> bool:
    """Return whether one of the names, those of a check and its families, is ignored for a path."""
    wanted = frozenset(names)
    return any(each.names & wanted and each.covers(path) for each in ignores)
