"""Reads what people name as the target of a trial."""

from pathlib import Path

from torchdoctor.record import record
from torchdoctor.usage import UsageError


@record
class Target:
    """What is tried: `package.module:name` or `path/to/file.py:name`, and its arguments."""

    text: str
    arguments: tuple[str, ...] = ()


def parse_target(text: str, arguments: tuple[str, ...]) -> Target:
    """Read a target as people write it.

    Raises:
        UsageError: it has no name, or the file does not exist.
    """
    place, colon, name = text.rpartition(":")
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"{text} is no target; write package.module:name or path/to/file.py:name")
    if place.endswith(".py"):
        if not Path(place).is_file():
            raise UsageError(f"{place}: no such file")
    elif not all(part.isidentifier() for part in place.split(".")):
        raise UsageError(f"{place} is neither a module nor a .py file")
    return Target(text, arguments)
