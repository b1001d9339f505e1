"""Reads what an installed distribution requires, from its metadata."""

from collections.abc import Iterator
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.domain.markers import find_applicable
from torchdoctor.facts import Distribution, Interpreter

# Far more than packages have: some hundred requirements, and a description of some hundred kB.
_MOST_BYTES = 4 << 20
_MOST_REQUIREMENTS = 4000


def find_metadata(distribution: Distribution) -> Path:
    """Return the path of the metadata that pip wrote."""
    return Path(distribution.folder, f"{distribution.name}-{distribution.version}.dist-info", "METADATA")


def is_pure(distribution: Distribution) -> bool:
    """Return whether the wheel of a distribution says that it has only Python files."""
    try:
        text = read_text(find_metadata(distribution).with_name("WHEEL"))
    except OSError:
        return False
    return any(line.replace(" ", "").lower() == "root-is-purelib:true" for line in text.splitlines())


def read_required(distribution: Distribution, interpreter: Interpreter) -> Iterator[tuple[str, str]]:
    """Yield the name and the version range of each requirement that applies; nothing without metadata."""
    try:
        text = read_text(find_metadata(distribution), max_bytes=_MOST_BYTES)
    except OSError:
        return
    head = text.partition("\n\n")[0]
    lines = [line.partition(":")[2] for line in head.splitlines() if line.startswith("Requires-Dist:")]
    # None of so many is that of a package that somebody made.
    if len(lines) <= _MOST_REQUIREMENTS:
        yield from find_applicable(lines, interpreter)
