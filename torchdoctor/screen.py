"""Where answers go: a terminal, whatever it can show, or a file."""

import os
import shutil
import sys
from pathlib import Path

from torchdoctor.usage import UsageError


def find_width() -> int:
    """Give the usable width in columns, 80 where there is no terminal."""
    return min(shutil.get_terminal_size((80, 24)).columns, 110) if sys.stdout.isatty() else 80


def wants_colour() -> bool:
    """Tell whether to colour: a terminal that has not asked for none (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show(text: str) -> None:
    """Write to standard output; what its code page lacks is written in ASCII.

    Colours go through rich, because an old Windows console does not obey escape sequences.
    """
    text = make_encodable(text, sys.stdout.encoding or "ascii")
    if "\x1b" not in text:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from rich.console import Console
    from rich.text import Text

    Console(highlight=False).print(Text.from_ansi(text.rstrip("\n")), soft_wrap=True)


def write_output(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.absolute().parent, delete=False
        ) as file:
            file.write(text)
        os.replace(file.name, path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error


def make_encodable(text: str, encoding: str) -> str:
    """Give the text with only such characters as the stream's encoding has."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return text.translate(_ASCII).encode("ascii", errors="replace").decode("ascii")
    return text


_ASCII = str.maketrans(
    {"…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "→": "->", "≥": ">=", "≤": "<=", "×": "x"}
)
