"""Cuts long texts where nothing private loses what tells that it is private."""

from __future__ import annotations

# What begins a path or an address.
_STARTS = (":\\", ":/", "\\\\", " /", "'/", '"/')
_ENDS_OF_PATHS = "'\"<>|\n"


def cut_end(text: str, limit: int) -> str:
    """Return the beginning of a text, up to a blank, in at most so many characters and " ...".

    A path whose end would be cut off is left out: of a name in two words, the second could not be recognised.
    """
    if len(text) <= limit:
        return text
    kept = text[:limit].rpartition(" ")[0]
    start = max(kept.rfind(mark) for mark in _STARTS)
    if start > 0 and not any(mark in kept[start + 2 :] for mark in _ENDS_OF_PATHS):
        kept = kept[:start].rpartition(" ")[0]
    return f"{kept} ...".lstrip()
