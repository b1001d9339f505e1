"""A file of JSON lines that a run which was cut off goes on with."""

import hashlib
import itertools
import json
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, TypeVar

from torchdoctor.core.locking import lock_file
from torchdoctor.core.usage import UsageError

if TYPE_CHECKING:
    from hashlib import _Hash

Item = TypeVar("Item")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

_MOST_LINE_BYTES = 64 << 20


def start_digest(name: str, settings: str) -> "_Hash":
    """Return a digest that gets the bytes of an input, for `make_digest`."""
    return hashlib.sha256(f"{name}\n{settings}\n".encode("utf-8", "surrogatepass"))


def make_digest(digest: "_Hash") -> str:
    """Return what is the same only for the same input, name and settings: 32 digits."""
    return digest.hexdigest()[:32]


class Lines(Protocol):
    """Where the lines of an output go; a context manager."""

    def __enter__(self) -> "Lines":
        """Return the lines."""

    def __exit__(self, exception_type: type[BaseException] | None, *others: object) -> None:
        """Finish the output."""

    def has_more(self) -> bool:
        """Return whether there may be a line of an earlier run."""

    def take_known(self, digest: str, read: Callable[[object], T | None]) -> T | None:
        """Return what `read` makes of the next line that an earlier run wrote, if that has this digest."""

    def write(self, line: bytes) -> None:
        """Add a line."""


def open_lines(path: Path | None, show: Callable[[str], None]) -> Lines:
    """Return the lines of an output, None for the screen; only a file has some of an earlier run.

    Raises:
        UsageError: it cannot be written, or another run writes it.
    """
    if path is None:
        return _Screen(show)
    # What a link in these folders leads to is open already.
    is_device = str(path).startswith(("/dev/", "/proc/")) or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )
    return _Device(path) if is_device else LineFile(path)


def take_known_first(
    items: Iterator[Item], find: Callable[[Item], R | None]
) -> Generator[R, None, Iterator[Item]]:
    """Yield what is known of the first items; return the others, from the first that is not known on."""
    for item in items:
        found = find(item)
        if found is None:
            return itertools.chain((item,), items)
        yield found
    return iter(())


class _Stream:
    """An output without lines of an earlier run."""

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, exception_type: type[BaseException] | None, *others: object) -> None: ...

    def has_more(self) -> bool:
        return False

    def take_known(self, digest: str, read: Callable[[object], T | None]) -> T | None:
        return None


class _Screen(_Stream):
    """The screen."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show

    def write(self, line: bytes) -> None:
        self._show(line.decode("ascii"))


class _Device(_Stream):
    """A device or a pipe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file: IO[bytes] = open(path, "wb")  # noqa: SIM115
        except OSError as error:
            raise _describe(path, error) from error

    def __exit__(self, exception_type: type[BaseException] | None, *others: object) -> None:
        try:
            self._file.close()
        except OSError as error:
            if exception_type is None:
                raise _describe(self._path, error) from error

    def write(self, line: bytes) -> None:
        try:
            self._file.write(line)
        except OSError as error:
            raise _describe(self._path, error) from error


def _read_line(line: bytes, digest: str, read: Callable[[object], T | None]) -> T | None:
    # A line that was cut off has no end.
    if not line.endswith(b"\n"):
        return None
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_same = isinstance(document, dict) and document.get("digest") == digest
    return read(document) if is_same else None


def _describe(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path}: cannot be written: {error.strerror or error}")


def name_part(path: Path) -> Path:
    """Return where the lines of a file are written until all are there; nobody else takes such a name."""
    return path.with_name(f"{path.name}.torchdoctor-part")


def _open_part(part: Path) -> IO[bytes]:
    """Open the file for the lines, new or with those of an earlier run.

    Raises:
        UsageError: there is a link or another file of that name.
        OSError: it cannot be opened.
    """
    if os.path.islink(part):
        raise UsageError(f"{part}: a link, which is not followed: move it away")
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    file = open(os.open(part, flags, 0o666), "r+b")  # noqa: SIM115 - the caller closes it
    # Each line is a mapping of JSON.
    if file.read(1) not in (b"", b"{"):
        file.close()
        raise UsageError(f"{part}: not a file of torchdoctor, which writes its lines there: move it away")
    file.seek(0)
    return file


class LineFile:
    """The lines of an output, written to a file beside it until all of them are there; a context manager.

    The lines that an earlier run has left, in that file or in the finished one, are read first: they are
    kept as long as they are the ones that this run would write.
    """

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            UsageError: it cannot be written, or another run writes it.
        """
        # A link stays a link.
        self._path = Path(os.path.realpath(path))
        self._part = name_part(self._path)
        self._reads = True
        try:
            # Nothing is cut off before the file is locked.
            self._file = _open_part(self._part)
            self._lock()
            if not os.fstat(self._file.fileno()).st_size and os.path.isfile(self._path):
                with open(self._path, "rb") as finished:
                    shutil.copyfileobj(finished, self._file)
                self._file.seek(0)
        except OSError as error:
            raise _describe(self._path, error) from error

    def __enter__(self) -> "LineFile":
        return self

    def __exit__(self, exception_type: type[BaseException] | None, *others: object) -> None:
        """Put the file in its place; after an exception, leave all that is written for the next run."""
        try:
            with self._file:
                if self._reads and exception_type is None:
                    self._drop_rest()
                self._file.flush()
                is_empty = not os.fstat(self._file.fileno()).st_size
            if exception_type is None:
                os.replace(self._part, self._path)
            elif is_empty:
                os.unlink(self._part)
        except OSError as error:
            if exception_type is None:
                raise _describe(self._path, error) from error

    def has_more(self) -> bool:
        """Return whether there may be a line of an earlier run."""
        return self._reads and self._file.tell() < os.fstat(self._file.fileno()).st_size

    def take_known(self, digest: str, read: Callable[[object], T | None]) -> T | None:
        """Return what `read` makes of the next line that an earlier run wrote, if that has this digest.

        Otherwise, or where `read` returns None, it and all that follow are dropped.
        """
        if not self._reads:
            return None
        position = self._file.tell()
        known = _read_line(self._file.readline(_MOST_LINE_BYTES), digest, read)
        if known is None:
            self._file.seek(position)
            self._drop_rest()
        return known

    def write(self, line: bytes) -> None:
        """Add a line.

        Raises:
            UsageError: it cannot be written.
        """
        if self._reads:
            self._drop_rest()
        try:
            self._file.write(line)
        except OSError as error:
            raise _describe(self._path, error) from error

    def _drop_rest(self) -> None:
        self._reads = False
        self._file.truncate(self._file.tell())

    def _lock(self) -> None:
        try:
            lock_file(self._file.fileno())
        except OSError:
            self._file.close()
            raise UsageError(f"{self._path}: another run is writing it: wait until it has ended") from None
