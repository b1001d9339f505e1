"""Write output to a terminal, with the characters and colours that it can show, or to a file."""

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from torchdoctor.core.usage import UsageError
from torchdoctor.core.vendored import import_vendored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# ENABLE_VIRTUAL_TERMINAL_PROCESSING of the Windows console.
_VIRTUAL_TERMINAL = 4


def find_width() -> int:
    """Return the usable width of standard output in columns: at most 110, and 80 if it is no terminal."""
    return min(_find_size().columns, 110) if sys.stdout.isatty() else 80


def find_rows() -> int | None:
    """Return the rows of the screen that standard output is shown on, or None if it is no terminal."""
    return _find_size().lines if sys.stdout.isatty() else None


def _find_size() -> os.terminal_size:
    # Imported here: a command whose output is no terminal needs none of it.
    import shutil

    return shutil.get_terminal_size((80, 24))


def wants_colour(stream: TextIO) -> bool:
    """Return whether a stream is a terminal, and colours are not turned off (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class OutputError(Exception):
    """Standard output cannot be written, such as to a full disk; the message is one line."""


def show(text: str | bytes) -> None:
    """Write a text to standard output, in ASCII if its encoding lacks a character; write bytes as they are.

    If nothing reads it any more (`torchdoctor scan | more`), the rest is discarded, which is no error.

    Raises:
        OutputError: the output cannot be written for another reason.
    """
    try:
        if isinstance(text, bytes):
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        else:
            _write(text, sys.stdout)
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        raise OutputError(f"the output cannot be written: {error.strerror or error}") from error


def discard_output() -> None:
    """Discard standard output; Python flushes it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_error(text: str) -> None:
    """Write a text to standard error, if it is still open."""
    try:
        _write(text, sys.stderr)
    except OSError:
        pass


def _write(text: str, stream: TextIO) -> None:
    text = make_encodable(text, stream.encoding or "ascii")
    if "\x1b" not in text or _understands_escapes(stream):
        stream.write(text)
        stream.flush()
        return
    # rich sets the colours of an old Windows console; its import takes longer than a short command.
    console = import_vendored("rich.console").Console(file=stream, highlight=False)
    console.print(import_vendored("rich.text").Text.from_ansi(text.rstrip("\n")), soft_wrap=True)


def _understands_escapes(stream: TextIO) -> bool:
    """Return whether a terminal understands escape sequences; a console of Windows 10 or later is told to."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    kernel32 = ctypes.WinDLL("kernel32")
    handle, mode = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno())), ctypes.c_uint32()
    # The null device counts as a terminal, and is no console.
    if not kernel32.GetConsoleMode(handle, ctypes.byref(mode)):
        return True
    return bool(kernel32.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL))


def write_output(path: "Path", text: str | bytes) -> None:
    """Write a file completely or not at all.

    Raises:
        UsageError: the file cannot be written.
    """
    from torchdoctor.core.writing import write_whole

    try:
        write_whole(path, text if isinstance(text, bytes) else text.encode("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        raise UsageError(f"{path}: cannot be written: {error.reason}") from error


@contextmanager
def open_output(path: "Path | None") -> "Iterator[Callable[[str], None]]":
    """Return a function that writes parts of an output: to the screen at once, or to a file.

    Raises:
        UsageError: the file cannot be written.
    """
    if path is None:
        yield show
        return
    from torchdoctor.core.writing import open_whole

    try:
        with open_whole(path) as file:

            def write(text: str) -> None:
                file.write(text.encode("utf-8"))

            yield write
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error


# A path has at most 4,096 on Linux, and a message may name two.
_MOST_CHARACTERS = 10_000


def show_message(message: str) -> None:
    """Write a message as one line to standard error, if it is still open.

    Control characters, which a file name can have, and those that the encoding lacks become "?". Of a value
    without an end, the beginning is shown, and what is said of it.
    """
    line = "".join(each if each.isprintable() else "?" for each in " ".join(message.split()))
    if len(line) > _MOST_CHARACTERS:
        line = f"{line[: _MOST_CHARACTERS // 2]} ... {line[-_MOST_CHARACTERS // 2 :]}"
    encoding = sys.stderr.encoding or "ascii"
    try:
        sys.stderr.write(f"torchdoctor: {line}\n".encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()
    except OSError:
        pass


def escape_controls(text: str) -> str:
    """Return a text with control characters, and those that turn the direction of text, as escapes."""
    return "".join(
        each if each.isprintable() or each in "\n\t" else each.encode("unicode_escape").decode()
        for each in text
    )


def make_encodable(text: str, encoding: str) -> str:
    """Return the text unchanged if the encoding has all of its characters, else in ASCII."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return text.translate(_ASCII).encode("ascii", errors="replace").decode("ascii")
    return text


_ASCII = str.maketrans(
    {"…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "→": "->", "≥": ">=", "≤": "<=", "×": "x"}
)
