"""The starts of words that a pattern may have cut: `unsupport` of `unsupported`."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern

# How a word can go on that a pattern has cut.
_ENDING = r"(?:e?s|e?d|n|r|ing|e|er|ers|ly)"
_SHORTEST = 4


def list_starts(word: str) -> Iterator[str]:
    """Yield a word, and the starts of it that a pattern may have in its place."""
    yield word
    yield from (word[:end] for end in range(_SHORTEST, len(word)) if pattern(_ENDING).fullmatch(word, end))
