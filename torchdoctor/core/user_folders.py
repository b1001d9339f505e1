"""The folders of the user for what torchdoctor keeps: what can be deleted at any time, and what cannot."""

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "TORCHDOCTOR_CACHE_DIR"
STATE_VARIABLE = "TORCHDOCTOR_STATE_DIR"


def find_cache_folder() -> Path:
    """Return the path of the folder for what can be deleted at any time, whether or not it exists.

    Raises:
        RuntimeError: the user has no home folder.
    """
    return _find_folder(CACHE_VARIABLE, "XDG_CACHE_HOME", "Library/Caches", ".cache")


def find_state_folder() -> Path:
    """Return the path of the folder for what a repair keeps to be undone, whether or not it exists.

    Raises:
        RuntimeError: the user has no home folder.
    """
    return _find_folder(STATE_VARIABLE, "XDG_STATE_HOME", "Library/Application Support", ".local/state")


def _find_folder(variable: str, standard: str, on_mac: str, elsewhere: str) -> Path:
    named = os.environ.get(variable, "")
    if named:
        return Path(os.path.abspath(named))
    folder = Path(os.environ.get("LOCALAPPDATA" if os.name == "nt" else standard, ""))
    if not folder.is_absolute():
        by_system = on_mac if sys.platform == "darwin" else elsewhere
        folder = Path.home() / ("AppData/Local" if os.name == "nt" else by_system)
    return folder / "torchdoctor"
