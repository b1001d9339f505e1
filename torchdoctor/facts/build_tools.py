"""Facts about the tools that compile extensions and graphs."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class BuildTools:
    """What compiles extensions and graphs, where it is found.

    `cuda_folder` is the toolkit that torch would take, and `cuda_source` says from where it is known
    (a variable's name, "PATH" or "default folder"). `nvcc_version` is that toolkit's ("12.6").
    `compiler` is cl.exe and `compiler_source` is "PATH" or "Visual Studio".
    """

    subject: ClassVar[str] = "build_tools"
    cuda_folder: str | None
    cuda_source: str | None
    has_nvcc: bool
    nvcc_version: str | Absent
    compiler: str | Absent | None
    compiler_source: str | None = None
