"""Provide a folder for the files of one child.

`torchdoctor run` imports this module before the program starts, so it imports nothing slow: tempfile imports
twenty modules, and is the last resort.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def make_scratch_folder() -> str:
    """Make an empty folder that only this user can open, and return its path.

    Raises:
        OSError: no folder for temporary files can be written to.
    """
    parent = os.environ.get("TEMP") if sys.platform == "win32" else os.environ.get("TMPDIR", "/tmp")
    try:
        if not parent:
            raise OSError("no folder is named")
        folder = os.path.join(os.path.abspath(parent), f"torchdoctor-{os.getpid()}-{os.urandom(6).hex()}")
        os.mkdir(folder, 0o700)
        return folder
    except OSError:
        import tempfile

        return tempfile.mkdtemp(prefix="torchdoctor-")


@contextmanager
def remove_at_end(folder: str) -> Iterator[str]:
    """Yield the folder, and remove it at the end with all that programs put there."""
    try:
        yield folder
    finally:
        _flatten(folder)
        for name in _list_names(folder):
            _remove(os.unlink, os.path.join(folder, name))
        _remove(os.rmdir, folder)


def _flatten(folder: str) -> None:
    """Move what is in the folders of a folder up to it, however deep, until it has only files."""
    moved = 0
    try:
        while inner := [each.path for each in os.scandir(folder) if each.is_dir(follow_symlinks=False)]:
            for path in inner:
                for name in os.listdir(path):
                    moved += 1
                    os.rename(os.path.join(path, name), os.path.join(folder, f"moved-{moved}"))
                os.rmdir(path)
    except OSError:
        # A process has a file of it open, or it may not be removed.
        pass


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _remove(function: "Callable[[str], object]", path: str) -> None:
    try:
        function(path)
    except OSError:
        pass  # A process that the program left has the file open.
