"""Reading and parsing files of training code and configuration."""

import ast
import codecs
import io
import math
import re
import tokenize
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from torchdoctor.core.files import read_bytes
from torchdoctor.source.asides import TEST_WORDS
from torchdoctor.source.files.configuration import read_settings
from torchdoctor.source.files.finding import CONFIGURATION_SUFFIXES, find_sources
from torchdoctor.source.files.notebooks import NotebookError, list_sources, load_cells, read_cells
from torchdoctor.source.files.relevance import (
    Filter,
    find_imported_starts,
    may_matter_as_configuration,
    may_work_at_import,
)
from torchdoctor.source.files.unreadable import UnreadableSource, describe_failure
from torchdoctor.source.module.parsed import ParsedModule, Place
from torchdoctor.source.module.project import FilePlace, Project
from torchdoctor.source.source_file import ConfigFile, FoundWords, SourceFile

# Larger files are generated code or data.
_MAX_CODE_BYTES = 4_000_000
_MAX_NOTEBOOK_BYTES = 50_000_000
_MAX_CONFIGURATION_BYTES = 200_000
_MAX_NESTING = 200
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A coding comment is on one of the first two lines.
_FIRST_LINES = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)?[^\r\n]*")
_OLD_NAME = re.compile(r"\basync\b(?!\s+(?:def|for|with)\b)")
# Stands for all integers that are larger.
_LARGEST_INTEGER = 1 << 64


def read_each(
    paths: Iterable[Path], may_matter: Filter
) -> Iterator[SourceFile | ConfigFile | UnreadableSource]:
    """Yield the training code and configuration that may matter to a check, and the unreadable files."""
    project = Project()
    named = list(paths)
    for found in find_sources(named):
        if isinstance(found, UnreadableSource):
            yield found
        elif source := read_source(found, may_matter, project, is_named=found in named):
            yield source


def read_source(
    path: Path, may_matter: Filter, project: Project | None = None, *, is_named: bool = False
) -> SourceFile | ConfigFile | UnreadableSource | None:
    """Read one file; return None when no source check can find anything in it.

    A script matters as well if it works at import with what other files of the project start. Of a file
    that the user named it is always said if it cannot be parsed.
    """
    suffix = path.suffix.lower()
    try:
        size = path.stat().st_size
        if suffix in CONFIGURATION_SUFFIXES:
            raw = read_bytes(path) if size <= _MAX_CONFIGURATION_BYTES else b""
            return read_settings(str(path), raw) if may_matter_as_configuration(raw) else None
        largest = _MAX_NOTEBOOK_BYTES if suffix == ".ipynb" else _MAX_CODE_BYTES
        if size > largest:
            return UnreadableSource(str(path), f"{size:,} bytes, more than the {largest:,} that people write")
        raw = read_bytes(path)
    except (OSError, ValueError) as error:
        return UnreadableSource(str(path), getattr(error, "strerror", None) or str(error))
    if raw.startswith(_UTF_16_MARKS):
        # Windows PowerShell 5.1 writes it with `>` and Out-File; the words of no check are found in it.
        return UnreadableSource(str(path), "it is UTF-16, which Python does not read; save it as UTF-8")
    imported: list[bytes] = []
    # Tests have loops that make their cases, and seldom train.
    is_test = path.name.startswith("test_") and any(word in raw for word in TEST_WORDS)
    if project is not None and suffix != ".ipynb" and not is_test and may_work_at_import(raw):
        imported = find_imported_starts(project, str(path), raw)
    if suffix == ".ipynb":
        return _read_notebook(str(path), raw, may_matter, project, is_named=is_named)
    words = FoundWords(raw, *imported)
    if not imported and not may_matter(words):
        return _find_fault(str(path), raw) if is_named else None
    place = FilePlace(str(path), project, bool(imported)) if project is not None else None
    source = parse_source(str(path), raw, place)
    return replace(source, words=words) if isinstance(source, SourceFile) else source


def _read_notebook(
    path: str,
    raw: bytes,
    may_matter: Filter,
    project: Project | None,
    *,
    is_named: bool,
) -> SourceFile | UnreadableSource | None:
    """Read a notebook if its code may matter; its outputs, mostly images, are far longer."""
    try:
        cells = load_cells(raw)
    except NotebookError as error:
        # What a damaged notebook has lost may have mattered.
        return UnreadableSource(path, str(error))
    code = "\n".join(source for _, source in list_sources(cells))
    if not may_matter(FoundWords(code.encode("utf-8", "replace"))):
        unread = read_cells(cells).unread if is_named else ""
        return UnreadableSource(path, unread) if unread else None
    place = FilePlace(path, project, False) if project is not None else None
    return _parse_safely(path, lambda: _parse_cells(path, cells, place))


def _find_fault(path: str, raw: bytes) -> UnreadableSource | None:
    """Return why a file of Python cannot be parsed, None if it can."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _parse_tree(decode(raw))
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as error:
        return UnreadableSource(path, describe_failure(error))
    return None


def parse_source(path: str, raw: bytes, place: Place | None = None) -> SourceFile | UnreadableSource:
    """Parse the bytes of a Python file, or of a notebook if the path ends in `.ipynb`."""
    return _parse_safely(path, lambda: _parse_bytes(path, raw, place))


def parse_text(path: str, text: str, place: Place | None = None) -> SourceFile | UnreadableSource:
    """Parse the text of a Python file; a coding comment in it, which is about its bytes, says nothing."""
    return _parse_safely(path, lambda: _parse(path, text, place))


def _parse_bytes(path: str, raw: bytes, place: Place | None) -> SourceFile | UnreadableSource:
    if path.lower().endswith(".ipynb"):
        return _parse_cells(path, load_cells(raw), place)
    source = _parse(path, decode(raw), place)
    encoding = find_encoding(raw)
    return replace(source, encoding=encoding) if isinstance(source, SourceFile) else source


def _parse_cells(path: str, cells: Sequence[object], place: Place | None) -> SourceFile | UnreadableSource:
    joined = read_cells(cells)
    source = _parse(path, joined.text, place, joined.lines, joined.numbers)
    return replace(source, unread=joined.unread) if isinstance(source, SourceFile) else source


def _parse_safely(
    path: str, parse: Callable[[], SourceFile | UnreadableSource]
) -> SourceFile | UnreadableSource:
    try:
        return parse()
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as error:
        return UnreadableSource(path, describe_failure(error))


def find_encoding(raw: bytes) -> str:
    """Return the encoding of Python source by its byte order mark or coding comment.

    Raises:
        SyntaxError: the declared encoding is unknown.
    """
    # As for Python, "\r" ends a line as well.
    first = _FIRST_LINES.match(raw)
    lines = io.BytesIO(first[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n") if first else b"")
    return tokenize.detect_encoding(lines.readline)[0]


def decode(raw: bytes) -> str:
    """Decode Python source by its byte order mark or coding comment; keep its line ends.

    Raises:
        SyntaxError: the declared encoding is unknown.
        LookupError: the declared encoding is not one of text, such as hex.
        ValueError: the bytes are not valid in that encoding.
    """
    return raw.decode(find_encoding(raw))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _is_absurd(value: object) -> bool:
    """Return whether a number is one that Python itself refuses to write, or infinite."""
    if isinstance(value, int):
        return abs(value) > _LARGEST_INTEGER
    return isinstance(value, float) and math.isinf(value)


def _parse_tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        # `x.cuda(async=True)` was right until Python 3.6; a name of the same length keeps all places.
        renamed = _OLD_NAME.sub("Async", text)
        if renamed == text:
            raise
        return ast.parse(renamed)


def _parse(
    path: str, text: str, place: Place | None, lines: tuple[int, ...] = (), numbers: tuple[int, ...] = ()
) -> SourceFile | UnreadableSource:
    with warnings.catch_warnings():
        # ast.parse() warns about invalid escapes in the user's strings; no check reports those.
        warnings.simplefilter("ignore")
        tree = _parse_tree(text)
    module = ParsedModule(tree, place)
    constants = cast(Sequence[ast.Constant], module.nodes.get(ast.Constant, ()))
    # Most constants are texts.
    for constant in [each for each in constants if each.value.__class__ in (int, float)]:
        if _is_absurd(constant.value):
            constant.value = _LARGEST_INTEGER
    if module.is_deeper(_MAX_NESTING):
        return UnreadableSource(path, f"nested {module.depth} levels deep")
    return SourceFile(path, text, tree, module, FoundWords(_encode(text)), lines, numbers)
