"""Bring back mode, user and group of files and folders."""

import contextlib
import os
import stat
from collections.abc import Mapping

from torchdoctor.repair.trees import Rights, read_rights


def open_folders(folders: Mapping[str, Rights]) -> None:
    """Make folders whose rights were changed readable and writable, until their rights are restored.

    What cannot be opened is told by what is done next in it.
    """
    for path in sorted(folders, key=len):
        if read_rights(path) not in (folders[path], None):
            with contextlib.suppress(OSError):
                os.chmod(path, folders[path][0] | stat.S_IRWXU)


def return_rights(rights: Mapping[str, Rights], problems: list[str]) -> set[str]:
    """Bring back rights, those of a folder after those of what is in it; return what had other ones."""
    changed = {path for path, before in rights.items() if read_rights(path) not in (before, None)}
    for path in sorted(changed, key=len, reverse=True):
        mode, user, group = rights[path]
        try:
            if hasattr(os, "chown"):
                # Only an administrator can give a file to another user.
                with contextlib.suppress(PermissionError):
                    os.chown(path, user, group)
            os.chmod(path, mode)
        except OSError as error:
            problems.append(f"{path}: its mode: {error.strerror or error}")
    return changed
