"""Replace what the patterns of a table find; only those are tried of which the text has a word."""

import re
from collections.abc import Callable, Sequence
from functools import cache

# Words of which the text has one, in lower case, and the pattern.
Rows = Sequence[tuple[tuple[str, ...], str]]


def replace_in_rows(text: str, rows: Rows, replace: Callable[[re.Match[str]], str]) -> str:
    """Return a text in which the matches of each pattern, in their order, are replaced."""
    lowered = text.lower()
    for words, pattern in rows:
        if any(word in lowered for word in words):
            text = _compile(pattern).sub(replace, text)
    return text


# Few texts have the words of any row.
@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
