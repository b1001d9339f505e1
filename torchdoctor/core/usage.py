"""Errors that the user can correct, and suggestions for misspelt words."""

from collections.abc import Iterable


class UsageError(Exception):
    """An argument, file or interpreter that the user named cannot be used; the message is one line."""


def suggest(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the known word that is closest, or "" if none is close."""
    # Imported here: it is needed only for an error.
    import difflib

    close = difflib.get_close_matches(word.lower(), sorted(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
