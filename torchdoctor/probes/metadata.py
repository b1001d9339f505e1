"""Reads what an installed distribution requires, from its metadata."""

from collections.abc import Iterator
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.domain.markers import find_applicable
from torchdoctor.facts import Distribution, Interpreter


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
        text = read_text(find_metadata(distribution))
    except OSError:
        return
    head = text.partition("\n\n")[0]
    lines = [line.partition(":")[2] for line in head.splitlines() if line.startswith("Requires-Dist:")]
    yield from find_applicable(lines, interpreter)
