"""Lines of source text, counted as Python counts them."""

import re
from functools import lru_cache

_LINE_END = re.compile(r"\r\n?|\n")


# Each finding asks for the lines of its file.
@lru_cache(maxsize=8)
def split_lines(text: str) -> tuple[str, ...]:
    """Split the text at Python's line ends; str.splitlines() also splits at others, such as form feeds."""
    return tuple(_LINE_END.split(text))


@lru_cache(maxsize=8)
def find_line_starts(text: str) -> tuple[int, ...]:
    """Return the offset of each line's first character."""
    return (0, *(match.end() for match in _LINE_END.finditer(text)))
