"""The files of an installed package, with what changes when they do."""

import os
from collections.abc import Iterator


def list_files(path: str) -> Iterator[tuple[str, int, int]]:
    """Yield a file, or the files in a folder, with their sizes and times.

    Raises:
        OSError: there is none.
    """
    if not os.path.isdir(path):
        status = os.stat(path)
        yield path, status.st_size, status.st_mtime_ns
        return
    for entry in sorted(os.scandir(path), key=lambda each: each.name):
        if entry.name != "__pycache__":
            yield from list_files(entry.path)
