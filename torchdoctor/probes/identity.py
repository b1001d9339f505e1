"""Observes who uses this machine, so that it can be left out of what is shared."""

import getpass
import os
import platform

from torchdoctor.domain.redaction import Identity


def read_identity() -> Identity:
    """Read home folder, user name and host name; what cannot be told stays empty."""
    home = os.path.expanduser("~")
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return Identity("" if home == "~" else home, user, platform.node())
