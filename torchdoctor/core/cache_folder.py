"""The folder for what torchdoctor keeps between its runs; all of it can be deleted at any time."""

import os
import sys
from pathlib import Path

VARIABLE = "TORCHDOCTOR_CACHE_DIR"


def find_cache_folder() -> Path:
    """Return the path of the folder, whether or not it exists: that of the variable, or one of the user.

    Raises:
        RuntimeError: the user has no home folder.
    """
    named = os.environ.get(VARIABLE, "")
    return Path(os.path.abspath(named)) if named else _find_folder_of_user() / "torchdoctor"


def _find_folder_of_user() -> Path:
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    folder = Path(os.environ.get(variable, ""))
    if folder.is_absolute():
        return folder
    if os.name == "nt":
        return Path.home() / "AppData" / "Local"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
