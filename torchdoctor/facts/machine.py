"""Facts about the machine: operating system, processor, memory, environment variables."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class OperatingSystem:
    """The system that the examined interpreter runs on.

    `system` is "windows", "linux" or "darwin". `machine` is the true architecture of the hardware
    ("x64", "arm64", "x86"): on Windows asked of IsWow64Process2, because the environment variables
    of an emulated process tell the emulated one. `build` is the Windows build number.
    """

    subject: ClassVar[str] = "operating_system"
    system: str
    version: str
    machine: str | Absent
    build: int | None = None
    compatibility_layer: str | None = None


@record
class Processor:
    """Cores that the examined process can use."""

    subject: ClassVar[str] = "processor"
    logical_cores: int
    physical_cores: int | Absent


@record
class PageFile:
    """A configured page file. Sizes are in bytes; None for both means the system manages the size.

    `volume` is the drive that holds it ("C:"), with its size and what is free on it.
    """

    path: str
    initial_bytes: int | None = None
    maximum_bytes: int | None = None
    volume: str | Absent = Absent("not recorded in the facts file")
    volume_bytes: int | Absent = Absent("not recorded in the facts file")
    volume_free_bytes: int | Absent = Absent("not recorded in the facts file")


@record
class Memory:
    """Memory of the machine in bytes.

    Commit is what Windows has promised: its limit is physical memory plus all page files, and error
    1455 means that the limit is reached. `process_commit_available_bytes` is what one process may
    still commit (a job object can make it less than limit minus total). `page_files` are the
    configured ones; an empty tuple means that there is none. On Linux the limit and the total are
    CommitLimit and Committed_AS, and `commit_limit_enforced` tells whether the kernel refuses more.
    """

    subject: ClassVar[str] = "memory"
    physical_bytes: int
    physical_available_bytes: int
    commit_limit_bytes: int | Absent
    commit_total_bytes: int | Absent
    commit_peak_bytes: int | Absent
    process_commit_available_bytes: int | Absent
    page_files: tuple[PageFile, ...] | Absent
    commit_limit_enforced: bool = True


@record
class EnvironmentVariables:
    """Variables of the examined process that PyTorch, OpenMP, CUDA or the interpreter read."""

    subject: ClassVar[str] = "environment_variables"
    values: tuple[tuple[str, str], ...] | Absent

    def find(self, name: str) -> str | None:
        """Give the value of a variable, or None when it is not set or was not readable."""
        if isinstance(self.values, Absent):
            return None
        return dict(self.values).get(name)
