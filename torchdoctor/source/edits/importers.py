"""The files that may import a script, which a main guard would take its names away from."""

import codecs
import fnmatch
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.source.edits.mentions import Mentions, Name, find_mentions, find_started
from torchdoctor.source.source_file import SourceFile

# So many folders above a file are asked whether they are the root of a repository.
_MOST_FOLDERS = 8
_MOST_FILES = 20_000
_MOST_ENTRIES = 200_000
_SECONDS = 30.0
# Without a repository, so many levels of the folder above are read.
_LEVELS_ABOVE = 2
_LARGEST_FILE = 50_000_000
_LARGEST_OTHER_FILE = 500_000
_CODE = frozenset((".py", ".pyw", ".pyi", ".pyx", ".ipy", ".ipynb"))
# Texts that start or import Python files. One without an ending may be a script.
_OTHER_TEXTS = frozenset((
    "", ".sh", ".bash", ".zsh", ".fish", ".bat", ".cmd", ".ps1", ".psm1", ".toml", ".cfg", ".ini", ".yaml",
    ".yml", ".json", ".md", ".rst", ".rmd", ".qmd", ".mk", ".r", ".jl", ".m", ".cpp", ".cc", ".html", ".env",
    ".in", ".service", ".slurm", ".sbatch", ".dockerfile",
))  # fmt: skip
# With any ending: images are built by the first two, and pytest runs the examples in the last ones.
_NAMES = ("dockerfile*", "makefile*", "test*.txt")
# People keep no code of theirs in them; folders such as `build` and `venv` can be anything.
_WITHOUT_CODE = frozenset((
    ".git", ".hg", ".svn", "__pycache__", "node_modules", ".mypy_cache", ".ruff_cache", ".pytest_cache",
))  # fmt: skip
# What an environment of Python has in it.
_OF_AN_ENVIRONMENT = ("pyvenv.cfg", "conda-meta")
# A script that reads its command line is one that is started.
_READS_ARGUMENTS = re.compile(r"\bparse_(?:known_)?args\(|\bsys\.argv\b|\bgetopt\b")
_REPOSITORIES = (".git", ".hg", ".svn")
# How a reason begins that says only that not everything was read.
UNREAD = "not all files below"

_NOTHING = Mentions()


@record
class Limits:
    """How much of a project is read: so many files and entries of folders, and whether what is above it."""

    files: int
    entries: int
    reads_above: bool = True


@record
class _Text:
    """A file, and what it says about modules; `raw` is kept of one outside of the project."""

    path: str
    folder: str
    mentions: Mentions
    raw: bytes | None = None


@record
class _Listing:
    """The texts below a folder, the files that its links lead to, and whether all of it was read."""

    texts: tuple[_Text, ...]
    links: dict[str, list[str]]
    is_whole: bool


class Importers:
    """The files of the projects of scripts; each is read once, when a script of its project is asked for.

    Files are looked for below the roots, in the repository of a script, and without one in the folder above.
    """

    def __init__(self, roots: Iterable[Path], limits: Limits | None = None) -> None:
        self._roots = [_resolve(each) for each in roots]
        self._limits = limits or Limits(_MOST_FILES, _MOST_ENTRIES)
        self._listings: dict[tuple[str, int | None], _Listing] = {}
        self._files = self._entries = 0
        self._has_unread = False
        self._end = 0.0

    def find_reason(self, source: SourceFile) -> str | None:
        """Return why a script may be imported, in words that follow "because"; None if nothing imports it."""
        script, content = _Script(source.path, source.module.bound_names), source.text
        project = [root for root in self._roots if _is_below(script.path, root)] or [script.folder]
        repository = _find_repository(script.folder)
        outermost = min(project, key=len)
        if repository is not None:
            project = [*project, repository]
        folders = _drop_inner([*project, *self._roots])
        for folder in folders:
            if reason := self._search(script, folder, None):
                return reason
        if os.path.exists(os.path.join(script.folder, "__init__.py")) and not (
            _READS_ARGUMENTS.search(content)
            or script.stem in find_started(content)
            or any(
                script.stem in text.mentions.started
                for each in folders
                for text in self._read(each, None).texts
            )
        ):
            return "it belongs to a package, which others may import, and nothing shows that it is started"
        above = os.path.dirname(outermost)
        if repository is not None or not self._limits.reads_above or _is_below(above, *self._roots):
            return None
        # The root of a drive is no project.
        levels = 0 if os.path.dirname(above) == above else _LEVELS_ABOVE
        return self._search(script, above, levels, os.path.basename(outermost))

    def _search(
        self, script: "_Script", folder: str, levels: int | None, wanted_word: str = ""
    ) -> str | None:
        """Return why a text below a folder may need the script; `wanted_word` is one that such a text has."""
        listing = self._read(folder, levels)
        for link in listing.links.get(script.path, ()):
            if link != script.named:
                return f"{link} is a link to it, and may be imported"
        renames = any(each.mentions.renames_packages for each in listing.texts) or any(
            _is_below(script.folder, target) for target in listing.links
        )
        word = re.compile(rb"(?<!\w)" + re.escape(os.fsencode(wanted_word)) + rb"(?!\w)", re.IGNORECASE)
        for text in listing.texts:
            if text.path == script.path or (text.raw is not None and not word.search(text.raw)):
                continue
            if reason := script.find_use(text, renames):
                return reason
        if not listing.is_whole:
            return f"{UNREAD} {folder} could be read to find those that import it"
        return None

    def _read(self, folder: str, levels: int | None) -> _Listing:
        key = (folder, levels)
        if key not in self._listings:
            self._files = self._entries = 0
            self._has_unread = False
            self._end = time.monotonic() + _SECONDS
            links: dict[str, list[str]] = {}
            texts = tuple(self._walk(folder, levels, links))
            self._listings[key] = _Listing(texts, links, not (self._is_over() or self._has_unread))
        return self._listings[key]

    def _is_over(self) -> bool:
        is_full = self._files > self._limits.files or self._entries > self._limits.entries
        return is_full or time.monotonic() > self._end

    def _walk(self, root: str, levels: int | None, links: dict[str, list[str]]) -> Iterator[_Text]:
        pending = [(root, 0)]
        while pending:
            folder, level = pending.pop()
            try:
                with os.scandir(folder) as found:
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError:
                self._has_unread = True
                continue
            self._entries += len(entries)
            for entry in entries:
                if self._is_over():
                    return
                if _is_folder(entry):
                    if _is_searched(entry) and (
                        levels is None or (level < levels and self._is_outside(entry))
                    ):
                        pending.append((entry.path, level + 1))
                    continue
                if entry.is_symlink():
                    links.setdefault(os.path.realpath(entry.path), []).append(entry.path)
                if (text := self._read_text(entry, folder, levels is not None)) is not None:
                    yield text

    def _is_outside(self, entry: os.DirEntry[str]) -> bool:
        return not entry.name.startswith(".") and entry.path not in self._roots

    def _read_text(self, entry: os.DirEntry[str], folder: str, keeps_raw: bool) -> _Text | None:
        suffix = os.path.splitext(entry.name)[1].casefold()
        is_code = suffix in _CODE
        has_name = any(fnmatch.fnmatchcase(entry.name.casefold(), pattern) for pattern in _NAMES)
        if not (is_code or has_name or suffix in _OTHER_TEXTS):
            return None
        try:
            if entry.stat().st_size > (_LARGEST_FILE if is_code else _LARGEST_OTHER_FILE):
                self._has_unread |= is_code
                return None
            self._files += 1
            raw = read_bytes(entry.path)
        except (OSError, ValueError):
            # A link that leads nowhere is no file.
            self._has_unread |= is_code and os.path.exists(entry.path)
            return None
        encoding = "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
        if not is_code and encoding == "utf-8" and b"\0" in raw[:1000]:
            return None
        mentions = find_mentions(entry.name, raw.decode(encoding, "replace"))
        return (
            None if mentions == _NOTHING else _Text(entry.path, folder, mentions, raw if keeps_raw else None)
        )


class _Script:
    """A script by the parts of its path, as import statements name them, and the names that it binds."""

    def __init__(self, path: str, bound_names: Iterable[str]) -> None:
        self.named = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        self.path = os.path.realpath(path)
        self.folder, self.file_name = os.path.split(self.path)
        self.stem = os.path.splitext(self.file_name)[0].casefold()
        folders = [_normalise(each) for each in self.folder.split(os.sep) if each]
        self.parts = (*folders, self.stem)
        self.bound_names = frozenset(each.casefold() for each in bound_names)

    def find_use(self, text: _Text, renames: bool) -> str | None:
        """Return why a text may need the script, None if it does not."""
        mentions = text.mentions
        own = [name for name in mentions.names_or_files if name.parts[-1] in self.bound_names]
        named = any(self._is_meant(name, text, renames) for name in (*mentions.names, *own))
        if named or self.stem in mentions.stems:
            return f"{text.path} may import it"
        if any(fnmatch.fnmatch(self.file_name, each) for each in mentions.test_patterns):
            return f"{text.path} has pytest import it"
        if any(self._is_reached(prefix, text) for prefix in mentions.prefixes):
            return (
                f"{text.path} imports modules or runs files whose names only a run shows, and may import it"
            )
        return None

    def _is_meant(self, name: Name, text: _Text, renames: bool) -> bool:
        parts = name.parts
        if not parts or self.stem not in parts:
            return False
        if name.level:
            folder = text.folder
            for _ in range(name.level - 1):
                folder = os.path.dirname(folder)
            base = tuple(_normalise(each) for each in folder.split(os.sep) if each)
            return self.parts == (*base, *parts) or self.parts == (*base, *parts[:-1])
        for end in range(len(parts), 0, -1):
            head = tuple(_normalise(each) for each in parts[:end])
            if head[-1] == _normalise(self.stem) and (renames or self._ends_with(head)):
                return not self._is_hidden(parts[:end], text)
        return False

    def _ends_with(self, head: Sequence[str]) -> bool:
        own = (*self.parts[:-1], _normalise(self.stem))
        return own[-len(head) :] == tuple(head)

    def _is_hidden(self, parts: Sequence[str], text: _Text) -> bool:
        """Return whether a file of the same name beside the importer is what the importer gets."""
        if text.mentions.changes_paths or _is_below(text.folder, self.folder):
            return False
        beside = os.path.join(text.folder, *parts)
        found = (f"{beside}.py", os.path.join(beside, "__init__.py"))
        return any(os.path.exists(each) and os.path.realpath(each) != self.path for each in found)

    def _is_reached(self, prefix: str, text: _Text) -> bool:
        """Return whether a name that begins in this way can be that of the script."""
        if prefix.startswith("."):
            return _is_below(self.folder, text.folder)
        *whole, start = (_normalise(each) if each else "" for each in prefix.casefold().split("."))
        own = (*self.parts[:-1], _normalise(self.stem))
        return any(
            own[index : index + len(whole)] == tuple(whole) and own[index + len(whole)].startswith(start)
            for index in range(len(own) - len(whole))
        )


def _resolve(path: Path) -> str:
    real = os.path.realpath(path)
    return real if os.path.isdir(real) else os.path.dirname(real)


def _find_repository(folder: str) -> str | None:
    """Return the outermost repository around a folder: people clone others into their own."""
    home, found = os.path.realpath(os.path.expanduser("~")), None
    for _ in range(_MOST_FOLDERS):
        # A repository of settings in the home folder is not the project of what is below it.
        if folder != home and any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES):
            found = folder
        folder = os.path.dirname(folder)
    return found


def _is_below(path: str, *folders: str) -> bool:
    return any(path == each or path.startswith(os.path.join(each, "")) for each in folders)


def _drop_inner(folders: Iterable[str]) -> list[str]:
    """Return the folders without those that lie below another one."""
    kept: list[str] = []
    for folder in sorted(set(folders), key=len):
        if not _is_below(folder, *kept):
            kept.append(folder)
    return kept


def _normalise(part: str) -> str:
    """Return the name of a folder as a package of that name has it in most cases."""
    return part.casefold().replace("-", "_").replace(" ", "_").removesuffix("_main").removesuffix("_master")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_searched(entry: os.DirEntry[str]) -> bool:
    return entry.name not in _WITHOUT_CODE and not any(
        os.path.exists(os.path.join(entry.path, each)) for each in _OF_AN_ENVIRONMENT
    )
