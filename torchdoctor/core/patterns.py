"""Compile regular expressions when they are first needed; most texts need few of them."""

import re
from functools import lru_cache


@lru_cache(maxsize=2048)
def pattern(text: str, ignore_case: bool = False) -> re.Pattern[str]:
    r"""Return a compiled regular expression; each is compiled once.

    In an ASCII expression, `\w` and `\b` are about ASCII: in a Chinese or Japanese text, words stand beside
    names without a space.
    """
    return re.compile(text, (re.IGNORECASE if ignore_case else 0) | (re.ASCII if text.isascii() else 0))
