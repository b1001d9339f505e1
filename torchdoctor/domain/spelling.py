"""Suggest what a misspelt word of the command line meant."""

from collections.abc import Iterable


def suggest(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the known word that is closest, or "" if none is close."""
    # Imported here: it is needed only for an error.
    import difflib

    close = difflib.get_close_matches(word.lower(), sorted(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
