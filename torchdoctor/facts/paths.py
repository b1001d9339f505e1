"""Facts about how Windows treats long paths and characters outside ASCII."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class PathSettings:
    """How Windows treats long paths and characters outside ASCII.

    `ansi_code_page` is the code page of Windows functions that take text as bytes; 65001 is UTF-8.
    """

    subject: ClassVar[str] = "path_settings"
    long_paths_enabled: bool | Absent
    ansi_code_page: int | Absent
