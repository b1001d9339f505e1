"""Find the releases of torch and of Python in which a frame of a traceback can stand."""

import functools
from collections.abc import Iterable

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record


@record
class Place:
    """A frame: its file from `torch/` or from the standard library on, its function and its line."""

    file: str
    function: str
    line: int


def find_releases(places: Iterable[Place]) -> tuple[str, ...]:
    """Return the releases in which all these frames of torch, or of Python, stand; oldest first.

    A release of Python is a minor one: "3.10". () where no release has them all, as where they are of one
    that is not in the table, or where the table has none of the functions.
    """
    names: tuple[str, ...] | None = None
    for place in places:
        found = _find_releases(place)
        if found is not None:
            names = found if names is None else tuple(name for name in names if name in found)
    return names or ()


def list_newest_releases() -> tuple[str, ...]:
    """Return the newest torch and the newest Python in the table."""
    return tuple((_find_row(name, "releases") or "").split()[-1] for name in ("torch", "python"))


def _find_releases(place: Place) -> tuple[str, ...] | None:
    """Return the releases in which a frame stands, or None where it says nothing of the release."""
    row = _find_row(place.file, place.function)
    if row is None:
        return None
    releases = (_find_row("torch" if place.file.startswith("torch/") else "python", "releases") or "").split()
    found: list[str] = []
    for part in row.split(";"):
        first, *spans = part.split(" ")
        first, _, last = first.partition("-")
        if any(_holds(span, place.line) for span in spans):
            found += releases[releases.index(first) : releases.index(last or first) + 1]
    # The table has only some lines of modules.
    return None if not found and place.function == "<module>" else tuple(found)


def _holds(span: str, line: int) -> bool:
    first, _, last = span.partition("-")
    return int(first) <= line <= int(last)


def _find_row(file: str, function: str) -> str | None:
    table = _read_table()
    start = table.find(f"\n{file},{function},")
    return table[start + 1 : table.index("\n", start + 1)].split(",", 2)[2] if start >= 0 else None


@functools.cache
def _read_table() -> str:
    return read_bundled("torchdoctor.domain", "frame_lines.csv").decode("utf-8")
