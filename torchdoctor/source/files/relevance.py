"""Which files can matter to a source check, told from their bytes before they are parsed."""

from collections.abc import Callable, Iterable

from torchdoctor.check import Words


def make_filter(wanted: Iterable[tuple[Words, ...]]) -> Callable[[bytes], bool]:
    """Return a function that says whether a file of these bytes holds the words of any check.

    `wanted` are the words of each check; a check without words wants every file.
    """
    merged: dict[bytes, set[bytes]] = {}
    alone: set[bytes] = set()
    for words in wanted:
        if not words:
            return lambda raw: True
        for word, others in words:
            merged.setdefault(word, set()).update(others)
            if not others:
                alone.add(word)
    rows = [(word, () if word in alone else tuple(sorted(others))) for word, others in merged.items()]

    def may_matter(raw: bytes) -> bool:
        for word, others in rows:
            if word in raw and (not others or any(other in raw for other in others)):
                return True
        return False

    return may_matter


def may_matter_as_configuration(raw: bytes) -> bool:
    """Return whether a configuration file could hold a number of workers."""
    return b"workers" in raw or b"WORKERS" in raw
