"""Facts about the machine: operating system, processor, memory, environment variables."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class OperatingSystem:
    """The system that the examined interpreter runs on.

    `system` is "windows", "linux" or "darwin". `machine` is the true architecture of the hardware
    ("x64", "arm64", "x86"). On Windows it comes from IsWow64Process2, because the environment variables of
    an emulated process have the emulated architecture. `build` is the Windows build number.
    """

    subject: ClassVar[str] = "operating_system"
    system: str
    version: str
    machine: str | Absent
    build: int | None = None
    compatibility_layer: str | None = None


@record
class Processor:
    """The cores that the examined process can use."""

    subject: ClassVar[str] = "processor"
    logical_cores: int
    physical_cores: int | Absent


@record
class PageFile:
    """A configured page file; if its initial and maximum size are None, Windows manages the size.

    `volume` is the drive that it is on ("C:"); `volume_bytes` and `volume_free_bytes` are its size and its
    free space.
    """

    path: str
    initial_bytes: int | None = None
    maximum_bytes: int | None = None
    volume: str | Absent = Absent("not recorded in the facts file")
    volume_bytes: int | Absent = Absent("not recorded in the facts file")
    volume_free_bytes: int | Absent = Absent("not recorded in the facts file")


@record
class Memory:
    """The memory of the machine.

    Commit is the memory that Windows has promised to processes. Its limit is physical memory plus all page
    files, and error 1455 means that the limit is reached. `process_commit_available_bytes` is what one
    process may still commit (a job object can make it less than limit minus total). `page_files` are the
    configured ones; an empty tuple means that there is none. On Linux the limit and the total are
    CommitLimit and Committed_AS, and `commit_limit_enforced` is whether the kernel refuses more.
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
    """The variables of the examined process that PyTorch, OpenMP, CUDA or the interpreter read.

    `of_user` and `of_machine` are the names of those that Windows keeps for the account or for all users, and
    gives to every program; the others are set by a console, a script or a program.
    """

    subject: ClassVar[str] = "environment_variables"
    values: tuple[tuple[str, str], ...] | Absent
    of_user: tuple[str, ...] | Absent = Absent("not recorded in the facts file")
    of_machine: tuple[str, ...] | Absent = Absent("not recorded in the facts file")

    def find(self, name: str) -> str | None:
        """Return the value of a variable, or None if it is not set or the variables are absent."""
        if isinstance(self.values, Absent):
            return None
        return dict(self.values).get(name)
