"""Copies what Python writes to a terminal as standard error into a file, so that it can be explained."""

from __future__ import annotations

import os
import sys

_LIMIT_BYTES = 512 * 1024


def install(path: str) -> None:
    """Copy standard error into the file, if it goes to a terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOINHERIT", 0), 0o600)
    write = stream.write

    def write_both(text: str) -> int:
        try:
            # A progress bar of a week must not fill the disk; the end is what matters.
            if os.fstat(file).st_size > _LIMIT_BYTES:
                os.ftruncate(file, 0)
            os.write(file, str(text).encode("utf-8", "replace"))
        except OSError:
            pass
        return write(text)

    stream.write = write_both  # type: ignore[method-assign]
