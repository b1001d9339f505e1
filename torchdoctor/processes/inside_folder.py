"""Provide the folder of `torchdoctor.inside`, whose modules run in other Pythons.

`torchdoctor run` imports this module before the program starts, so it imports nothing slow.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Traversable

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "inside")


@contextmanager
def provide_inside_folder() -> Iterator[str]:
    """Yield the path of the folder, or of a temporary copy if torchdoctor runs from a zip file."""
    if os.path.isdir(_FOLDER):
        yield _FOLDER
        return
    import tempfile
    from importlib import resources

    with tempfile.TemporaryDirectory(prefix="torchdoctor-", ignore_cleanup_errors=True) as unpacked:
        _unpack(resources.files("torchdoctor.inside"), unpacked)
        yield unpacked


def _unpack(source: "Traversable", folder: str) -> None:
    for item in source.iterdir():
        target = os.path.join(folder, item.name)
        if item.is_dir():
            os.mkdir(target)
            _unpack(item, target)
        elif item.name.endswith(".py"):
            with open(target, "wb") as file:
                file.write(item.read_bytes())
