"""Compile regular expressions when they are first needed; most texts need few of them."""

import re
from functools import lru_cache


@lru_cache(maxsize=2048)
def pattern(text: str, ignore_case: bool = False) -> re.Pattern[str]:
    """Return a compiled regular expression; each is compiled once."""
    return re.compile(text, re.IGNORECASE if ignore_case else 0)
