"""Reading files of training code: bytes to a parsed source file, or the reason why not."""

import ast
import gc
import io
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from torchdoctor.facts.source import ConfigFile, SourceFile
from torchdoctor.record import record
from torchdoctor.source.configuration import read_options, read_settings
from torchdoctor.source.files import CODE, find_sources
from torchdoctor.source.notebooks import NotebookError, read_cells
from torchdoctor.source.relevance import may_matter, may_matter_as_configuration
from torchdoctor.source.unreadable import Unreadable
from torchdoctor.source.view import View

# Code that people write stays far below; what is longer is generated, and data.
_LARGEST_CODE_BYTES = 4_000_000
_LARGEST_NOTEBOOK_BYTES = 50_000_000
_LARGEST_CONFIGURATION_BYTES = 200_000
_DEEPEST_NESTING = 200


@record
class Sources:
    """What was read: the files that a check can say something about, and those it could not read."""

    files: tuple[SourceFile, ...]
    configurations: tuple[ConfigFile, ...]
    unreadable: tuple[Unreadable, ...]

    @property
    def values(self) -> Mapping[type, object]:
        """The facts by type, as `Facts` holds them."""
        return {SourceFile: self.files, ConfigFile: self.configurations}

    @property
    def notices(self) -> tuple[str, ...]:
        """One line for each file that could not be read."""
        return tuple(f"{each.path}: not read: {each.reason}" for each in self.unreadable)


def read_sources(paths: Iterable[Path]) -> Sources:
    """Find and read all training code and configuration among and below the paths."""
    with _without_collection():
        read = [
            found if isinstance(found, Unreadable) else read_source(found) for found in find_sources(paths)
        ]
    files = tuple(each for each in read if isinstance(each, SourceFile))
    options = [each for file in files if (each := read_options(file)) is not None]
    return Sources(
        files,
        (*(each for each in read if isinstance(each, ConfigFile)), *options),
        tuple(each for each in read if isinstance(each, Unreadable)),
    )


@contextmanager
def _without_collection() -> Iterator[None]:
    # Syntax trees are many objects that all stay; the collector would walk them again and again.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read_source(path: Path) -> SourceFile | ConfigFile | Unreadable | None:
    """Read one file; None when no source check can say anything about it."""
    suffix = path.suffix.lower()
    try:
        size = path.stat().st_size
        if suffix not in CODE:
            raw = path.read_bytes() if size <= _LARGEST_CONFIGURATION_BYTES else b""
            return read_settings(str(path), raw) if may_matter_as_configuration(raw) else None
        largest = _LARGEST_NOTEBOOK_BYTES if suffix == ".ipynb" else _LARGEST_CODE_BYTES
        if size > largest:
            return Unreadable(str(path), f"{size:,} bytes, more than the {largest:,} that people write")
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        return Unreadable(str(path), getattr(error, "strerror", None) or str(error))
    return parse_source(str(path), raw) if may_matter(raw) else None


def parse_source(path: str, raw: bytes) -> SourceFile | Unreadable:
    """Parse the bytes of a Python file, or of a notebook when the path says so."""
    try:
        if path.lower().endswith(".ipynb"):
            cells = read_cells(raw)
            return _parse(path, cells.text, cells.lines, cells.numbers)
        return _parse(path, decode(raw))
    except NotebookError as error:
        return Unreadable(path, str(error))
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        return Unreadable(path, f"{where}{error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Unreadable(path, str(error).partition("\n")[0] or type(error).__name__)


def decode(raw: bytes) -> str:
    """Decode Python source by its byte order mark or coding comment; line ends are kept.

    Raises:
        SyntaxError: the declared encoding is unknown.
        ValueError: the bytes are not in it.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    return raw.decode(encoding)


def _parse(
    path: str, text: str, lines: tuple[int, ...] = (), numbers: tuple[int, ...] = ()
) -> SourceFile | Unreadable:
    with warnings.catch_warnings():
        # An invalid escape in somebody's string is not the doctor's to report.
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    view = View(tree)
    if view.depth > _DEEPEST_NESTING:
        return Unreadable(path, f"nested {view.depth} levels deep")
    return SourceFile(path, text, tree, view, lines, numbers)
