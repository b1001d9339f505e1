"""Facts about the tools that compile extensions and graphs."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class BuildTools:
    """The tools that compile extensions and graphs, and where they were found.

    `cuda_folder` is the CUDA toolkit that torch would use; `cuda_source` is the name of a variable, "PATH"
    or "default folder". `nvcc_version` is the version of that toolkit ("12.6"). `compiler` is cl.exe;
    `compiler_source` is "PATH" or "Visual Studio".
    """

    subject: ClassVar[str] = "build_tools"
    cuda_folder: str | None
    cuda_source: str | None
    has_nvcc: bool
    nvcc_version: str | Absent
    compiler: str | Absent | None
    compiler_source: str | None = None
