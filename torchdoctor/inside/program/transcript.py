"""Copies what Python writes to standard error on a terminal into a file, so that it can be explained."""

from __future__ import annotations

import os
import sys

_LIMIT_BYTES = 512 * 1024


def install(path: str) -> None:
    """Copy standard error into the file if it is a terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOINHERIT", 0), 0o600)
    original_write = stream.write

    def write_both(text: str) -> int:
        try:
            # A progress bar that runs for a week must not fill the disk; only the end of the output matters.
            if os.fstat(descriptor).st_size > _LIMIT_BYTES:
                os.ftruncate(descriptor, 0)
            os.write(descriptor, str(text).encode("utf-8", "replace"))
        except OSError:
            pass
        return original_write(text)

    stream.write = write_both  # type: ignore[method-assign]
