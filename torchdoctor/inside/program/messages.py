"""Prints what the safe loader changes, to standard error."""

from __future__ import annotations

import sys

_printed_messages: set[str] = set()


def print_once(text: str) -> None:
    """Print a message to standard error, unless it was printed before."""
    if text not in _printed_messages and sys.stderr is not None:
        _printed_messages.add(text)
        try:
            print("torchdoctor: safe loader: " + text, file=sys.stderr, flush=True)
        except (OSError, ValueError):
            pass
