"""Lines of source text, counted as Python counts them."""

import re

_LINE_END = re.compile(r"\r\n?|\n")


def split_lines(text: str) -> list[str]:
    """Split the text at Python's line ends; str.splitlines() also splits at others, such as form feeds."""
    return _LINE_END.split(text)


def find_line_starts(text: str) -> list[int]:
    """Return the offset of each line's first character."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]
