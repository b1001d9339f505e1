"""Keep what the checks said of files, so that the same bytes are not examined again.

What is said of a file depends on its bytes, on the files of its project that it imports, directly or not, and
on the checks. An answer is used again only if all of these are as they were; times of files do not count.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from torchdoctor.check import Check
from torchdoctor.core.files import read_bytes
from torchdoctor.core.user_folders import find_cache_folder
from torchdoctor.core.version import __version__
from torchdoctor.core.writing import holds_own_file, write_whole
from torchdoctor.engine.code.answer_codec import decode, encode, read_found
from torchdoctor.engine.code.file_examiner import FileAnswer
from torchdoctor.engine.installed_files import list_files
from torchdoctor.knowledge import Knowledge
from torchdoctor.source.module.project import Project, make_digest

# One for each set of paths and checks that was examined; the oldest are deleted.
_MOST_FILES = 40


class AnswerCache:
    """The answers about the files below some paths, of some checks; what cannot be read or kept is left out.

    The file begins with a digest of what follows, so that a damaged one is never used.
    """

    def __init__(self, roots: Sequence[Path], checks: Sequence[Check], knowledge: Knowledge) -> None:
        self._file = _name_file(roots, checks, knowledge)
        self._answers: dict[str, Any] = {}
        self._asked: dict[str, dict[str, Any]] = {}
        self._digests: dict[str, str | None] = {}
        if self._file is not None:
            self._load(self._file)

    def _load(self, file: Path) -> None:
        try:
            digest, _, data = read_bytes(file).partition(b"\n")
            if digest.decode("ascii") == make_digest(data):
                self._answers, self._asked, self._digests = json.loads(data)
        except (OSError, ValueError, RecursionError):
            pass

    def find(self, paths: Iterable[str], project: Project) -> dict[str, FileAnswer]:
        """Return the answers that hold for the files as they are now, and forget the others."""
        wanted = {path: self._answers[path] for path in paths if path in self._answers}
        changed = self._find_changed(project)
        self._answers = {
            path: answer for path, answer in wanted.items() if os.path.abspath(path) not in changed
        }
        for path in changed:
            # What it imports is asked again when it is examined.
            project.asked.pop(path, None)
        return {path: decode(data) for path, (_, data) in self._answers.items()}

    def _find_changed(self, project: Project) -> set[str]:
        """Return the files that are not as they were, or import one that is not."""
        digests = {os.path.abspath(path): digest for path, (digest, _) in self._answers.items()}
        digests.update(self._digests)
        changed = {path for path, digest in digests.items() if project.find_digest(path) != digest}
        importers: dict[str, list[str]] = {}
        for importer, names in self._asked.items():
            for dotted, found in names.items():
                if project.find_file(importer, dotted) != read_found(found):
                    changed.add(importer)
                if found is not None:
                    importers.setdefault(found[0], []).append(importer)
        pending = list(changed)
        while pending:
            for importer in importers.get(pending.pop(), ()):
                if importer not in changed:
                    changed.add(importer)
                    pending.append(importer)
        return changed

    def keep(self, answers: Mapping[str, FileAnswer], project: Project) -> None:
        """Add answers to those that still hold, and write all of them."""
        if self._file is None:
            return
        if answers:
            self._add(answers, project)
        try:
            if not holds_own_file(self._file):
                return
            if not answers and os.path.exists(self._file):
                os.utime(self._file)
                return
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Findings may show code.
            text = json.dumps([self._answers, self._asked, self._digests], separators=(",", ":"))
            data = text.encode("utf-8", "surrogatepass")
            write_whole(self._file, make_digest(data).encode("ascii") + b"\n" + data, mode=0o600)
            _delete_oldest(self._file.parent)
        except (OSError, ValueError):
            pass

    def _add(self, answers: Mapping[str, FileAnswer], project: Project) -> None:
        for path, answer in answers.items():
            digest, data = project.find_digest(os.path.abspath(path)), encode(answer)
            if digest is not None and data is not None and answer.is_lasting:
                self._answers[path] = [digest, data]
        imported = self._find_imported(project)
        self._asked = {path: project.asked[path] for path in imported if path in project.asked}
        digests = ((path, project.digests.get(path)) for path, is_read in imported.items() if is_read)
        self._digests = {path: digest for path, digest in digests if digest is not None}

    def _find_imported(self, project: Project) -> Mapping[str, bool]:
        """Return the files that have answers, and those that they import; true for the imported ones."""
        imported = {os.path.abspath(path): False for path in self._answers}
        pending = list(imported)
        while pending:
            for found in project.asked.get(pending.pop(), {}).values():
                if found is None:
                    continue
                if found[0] not in imported:
                    pending.append(found[0])
                imported[found[0]] = True
        return imported


def _name_file(roots: Sequence[Path], checks: Sequence[Check], knowledge: Knowledge) -> Path | None:
    """Return the file for these paths and checks as they are installed; None if they cannot be told apart."""
    try:
        folder = find_cache_folder() / "code"
        installed = [list(list_files(each)) for each in sorted(_find_code(checks))]
        where = [os.getcwd(), *map(str, roots)]
    except (OSError, RuntimeError, AttributeError, KeyError, TypeError):
        return None
    severities = [(check.name, knowledge.entries[check.name].severity.value) for check in checks]
    key = json.dumps([__version__, sys.version, where, severities, installed])
    return folder / (make_digest(key.encode("utf-8", "surrogatepass")) + ".json")


def _find_code(checks: Iterable[Check]) -> set[str]:
    """Return the folders, or the file, of torchdoctor's code and of that of each check.

    Raises:
        AttributeError: a module has no file.
        KeyError: a module is not imported.
        TypeError: a module has no file.
    """
    found = {os.path.dirname(sys.modules["torchdoctor"].__file__ or "")}
    for check in checks:
        top = check.module.partition(".")[0]
        if top == "torchdoctor":
            found.add(os.path.dirname(sys.modules[check.module].__file__ or ""))
        else:
            package = sys.modules[top]
            found.update(getattr(package, "__path__", ()) or [package.__file__])
    return found


def _delete_oldest(folder: Path) -> None:
    # Also what a run left behind that was killed while it wrote.
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[_MOST_FILES:]:
        file.unlink(missing_ok=True)
