"""The folder of `torchdoctor.inside`, from which another Python loads the code that runs in it.

`torchdoctor run` imports this before the program starts, so it loads nothing slow.
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
    """Yield the path of the folder; where torchdoctor runs from a zip file, it is unpacked meanwhile."""
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
