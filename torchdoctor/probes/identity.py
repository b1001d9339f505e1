"""Observes the names of the user and the machine, so that they can be removed from shared output."""

import getpass
import os
import platform

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
    while folder and not home.startswith(folder):
        if os.path.lexists(os.path.join(folder, ".git")):
            return True
        folder = os.path.dirname(folder)
    return False
