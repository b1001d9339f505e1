"""A fact that a person tells in a sentence."""

from typing import NamedTuple


class Told(NamedTuple):
    """A fact: words of which the text must have one, in lower case, and the pattern that decides.

    The words are divided by "|".
    """

    words: str
    pattern: str
