"""A fact: the folder for temporary files, and how much room its disk has."""

import shutil
import tempfile
from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts import Absent


@record
class ScratchDisk:
    """The disk of the folder for temporary files."""

    subject: ClassVar[str] = "scratch_disk"
    folder: str
    free_bytes: int | Absent


def observe_scratch_disk() -> ScratchDisk:
    """Ask the system for the room on the disk."""
    folder = tempfile.gettempdir()
    print("a probe of a third party may print")
    try:
        return ScratchDisk(folder, shutil.disk_usage(folder).free)
    except OSError as error:
        return ScratchDisk(folder, Absent(str(error)))


PROBES = {ScratchDisk: observe_scratch_disk}
