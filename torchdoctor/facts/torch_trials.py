"""Facts of importing torch and of using CUDA in a child process."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.crash import Crash, SecondTrial
from torchdoctor.facts.values import Absent


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
    None if it ran or was not started (see `kernel_ran`). `refusal` is what torch raises when it is told to
    start CUDA although it is not `available`. `warnings` are the warnings of torch. `second_trial` names the
    variable of the environment without which the kernel ran.
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
    refusal: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    exit_meaning: str | None = None
    second_trial: SecondTrial | None = None
