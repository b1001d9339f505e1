"""What was running when a process of the examined interpreter ended without an answer."""

from torchdoctor.core.record import record


@record
class Crash:
    """A crash, and the code that was running, from the stack that Python's fault handler left.

    `reason` is the handler's word for it ("access violation", "Aborted"). `stack` has the Python frames of
    the thread, innermost first, as "FILE:LINE in FUNCTION". `culprit` is what was running ("torch", "numpy",
    "sitecustomize.py", "extra.pth"), and `kind` what that is: "torch", "package" or "startup file"; both are
    None if it is not known. `path` is the file of the frame that says so, `line` the number of the line of a
    .pth file and `code` its text. `distribution` is the name of the package for pip, None if no installed
    distribution has recorded it.
    """

    reason: str
    stack: tuple[str, ...]
    kind: str | None = None
    culprit: str | None = None
    path: str | None = None
    line: int | None = None
    code: str | None = None
    distribution: str | None = None

    @property
    def place(self) -> str | None:
        """The frame of the culprit, or the innermost frame without one; None without frames."""
        frames = (frame for frame in self.stack if self.path and frame.startswith(f"{self.path}:"))
        return next(frames, self.stack[0] if self.stack else None)


@record
class SecondTrial:
    """A short trial after a failed one, without what is suspected, or of that alone.

    After a crash it is only the suspected package, or torch without the code that runs at start. After an
    exception, a crash in torch itself or a failure of CUDA, it is torch without a `variable` of the
    environment. `outcome` is "same" (it ends with the same exit code), "other" or "works". `exit_meaning`
    describes its exit code, None if it was stopped at the time limit.
    """

    outcome: str
    exit_meaning: str | None = None
    variable: str | None = None
