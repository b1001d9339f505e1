"""Observes the names of the user and the machine, so that they can be removed from shared output."""

import getpass
import os
import platform

from torchdoctor.domain.redaction import Identity


def read_identity() -> Identity:
    """Return the home folder, the user name and the host name; an unknown one is empty."""
    home = os.path.expanduser("~")
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return Identity("" if home == "~" else home, user, platform.node())
