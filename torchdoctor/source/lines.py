"""Lines of source text, counted as Python counts them."""

import re

_LINE_END = re.compile(r"\r\n?|\n")


def split_lines(text: str) -> list[str]:
    """Split at the ends of lines that Python knows, which are fewer than str.splitlines does."""
    return _LINE_END.split(text)


def find_line_starts(text: str) -> list[int]:
    """Give the offset in characters at which each line begins."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]
