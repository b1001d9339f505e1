"""Facts about torch: its files, and the result of importing it and using CUDA in a child process."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.crash import Crash, SecondTrial
from torchdoctor.facts.values import Absent


@record
class TorchInstall:
    """The torch that `import torch` would find, read from its files without importing it.

    `version` is the full one with its local part ("2.8.0+cu128"). `cuda` is the CUDA version that
    the build was made with ("12.8"), None for a build without CUDA. `library_folder` contains its DLLs or
    shared libraries, None if the package has no such folder. `extension_tags` are the interpreters that its
    extension module `_C` was built for, from the names of its files ("cp311-win_amd64"). If `has_init` is
    False, Python imports the folder as an empty package.
    """

    subject: ClassVar[str] = "torch_install"
    version: str | Absent
    package_folder: str
    library_folder: str | None
    cuda: str | None = None
    extension_tags: tuple[str, ...] | Absent = Absent("the names of its extension modules were not read")
    has_init: bool = True

    @property
    def local_tag(self) -> str | None:
        """The local part of the version ("cpu", "cu128"), None without one."""
        if isinstance(self.version, Absent) or "+" not in self.version:
            return None
        return self.version.partition("+")[2]


@record
class TorchImportTrial:
    """The result of `import torch` in a child of the examined interpreter.

    `outcome` is "imported", "raised", "died" (the process ended without an answer) or "hung" (killed
    at `time_limit_seconds`). `exit_meaning` describes the exit code. The two `private_bytes` are the
    private memory of the child before and after the import. `stderr_tail` is the end of what the child
    printed, for `explain`. `crash` says what was running when it died, and `second_trial` is the trial of
    that alone, or without it. If it raised, that is the trial without a variable of Python, where one works.
    """

    subject: ClassVar[str] = "torch_import_trial"
    outcome: str
    seconds: float
    time_limit_seconds: float
    version: str | None = None
    file: str | None = None
    exception_type: str | None = None
    exception_message: str | None = None
    winerror: int | None = None
    traceback: str | None = None
    exit_code: int | None = None
    exit_meaning: str | None = None
    private_bytes_before: int | Absent = Absent("the child did not report it")
    private_bytes_after: int | Absent = Absent("the child did not report it")
    stderr_tail: str = ""
    crash: Crash | None = None
    second_trial: SecondTrial | None = None

    @property
    def imports_torch(self) -> bool:
        """Whether torch was imported, and not only a folder of that name without an `__init__.py`."""
        return self.outcome == "imported" and (self.version is not None or self.file is not None)


@record
class CudaTrial:
    """The result of using CUDA in a child of the examined interpreter.

    `outcome` is "answered", "raised", "died" or "hung". `device_count` and `architectures` ("sm_86",
    "compute_37") are the values that torch returns. `kernel_error` is why the first small kernel failed,
    None if it ran or was not started (see `kernel_ran`). `warnings` are the warnings of torch.
    """

    subject: ClassVar[str] = "cuda_trial"
    outcome: str
    seconds: float
    available: bool | None = None
    device_count: int | None = None
    device_name: str | None = None
    capability: tuple[int, int] | None = None
    architectures: tuple[str, ...] = ()
    kernel_ran: bool = False
    kernel_error: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    exit_meaning: str | None = None
