"""Observes the names of the user and the machine, so that they can be removed from shared output."""

import getpass
import os
import platform
from pathlib import PurePath

from torchdoctor.redaction.redaction import Identity


def read_identity() -> Identity:
    """Return the home folder, the names of user and host, Windows' domain, and the current folder.

    What is unknown is empty.
    """
    home = os.path.expanduser("~")
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    domain = os.environ.get("USERDOMAIN", "")
    is_in_repository = _is_in_repository(folder, home)
    return Identity("" if home == "~" else home, user, platform.node(), domain, folder, is_in_repository)


def _is_in_repository(folder: str, home: str) -> bool:
    """Return whether a folder is in a repository of Git that is smaller than a home."""
    if not folder:
        return False
    above = PurePath(home)
    folders = (PurePath(folder), *PurePath(folder).parents)
    return any(
        os.path.lexists(each / ".git") for each in folders if each != above and each not in above.parents
    )
