"""Observes the names of the user and the machine, so that they can be removed from shared output."""

import getpass
import os
import platform

from torchdoctor.redaction.redaction import Identity


def read_identity() -> Identity:
    """Return the home folder, the names of user and host, and Windows' domain; an unknown one is empty."""
    home = os.path.expanduser("~")
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return Identity("" if home == "~" else home, user, platform.node(), os.environ.get("USERDOMAIN", ""))
