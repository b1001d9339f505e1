"""Deciding from a file's bytes, before parsing it, whether a source check can find anything in it."""

from collections.abc import Callable, Iterable

from torchdoctor.check import Words


def make_filter(wanted: Iterable[tuple[Words, ...]]) -> Callable[[bytes], bool]:
    """Return a function that reports whether a file's bytes contain the words of any check.

    `wanted` are the words of each check; a check without words wants every file.
    """
    merged: dict[bytes, set[bytes]] = {}
    sufficient: set[bytes] = set()
    for words in wanted:
        if not words:
            return lambda raw: True
        for word, others in words:
            merged.setdefault(word, set()).update(others)
            if not others:
                sufficient.add(word)
    rows = [(word, () if word in sufficient else tuple(sorted(others))) for word, others in merged.items()]

    def may_matter(raw: bytes) -> bool:
        for word, others in rows:
            if word in raw and (not others or any(other in raw for other in others)):
                return True
        return False

    return may_matter


def may_matter_as_configuration(raw: bytes) -> bool:
    """Return whether a configuration file can contain a number of workers."""
    return b"workers" in raw or b"WORKERS" in raw
