"""Takes down what goes to a terminal through Python's standard error, so that it can be explained."""

import os
import sys

_LIMIT_BYTES = 512 * 1024


def install(path):
    """Write what is written to standard error to the file as well, if it goes to a terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOINHERIT", 0), 0o600)
    write = stream.write

    def write_both(text):
        try:
            # A progress bar of a week must not fill the disk; the end is what matters.
            if os.fstat(file).st_size > _LIMIT_BYTES:
                os.ftruncate(file, 0)
            os.write(file, str(text).encode("utf-8", "replace"))
        except OSError:
            pass
        return write(text)

    stream.write = write_both
