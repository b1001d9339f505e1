"""Describe in one line why a command failed."""

import errno
import os

from torchdoctor.core.usage import UsageError

_NO_THREAD = "can't start new thread"
_FILES = (errno.EMFILE, errno.ENFILE)


def is_shortage(error: BaseException) -> bool:
    """Return whether an exception says that the system gives no more memory, threads or files."""
    if isinstance(error, RuntimeError):
        return str(error) == _NO_THREAD
    return isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno in (*_FILES, errno.ENOMEM, errno.EAGAIN)
    )


def describe_failure(error: Exception) -> tuple[str, int]:
    """Return one line that tells why a command could not end, and the exit code: 2 if it can be put right."""
    if isinstance(error, UsageError):
        return str(error), 2
    if isinstance(error, OSError):
        try:
            verify_current_folder()
        except UsageError as reason:
            return str(reason), 2
    if is_shortage(error):
        return _describe_shortage(error), 3
    return describe_defect(error), 3


def _describe_shortage(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno in _FILES:
        return "too many files are open for the limit of this session (ulimit -n): raise it, and try again"
    return (
        "the system gives no more memory or threads: close other programs, or raise the limit of this "
        "session (ulimit -v, -u), and try again"
    )


def verify_current_folder() -> None:
    """Raise an error if the current folder was deleted: no child can be started there.

    Raises:
        UsageError: it is not there, or may not be read.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise UsageError(f"the current folder cannot be read: {error.strerror}; change to another") from None


def describe_defect(error: Exception) -> str:
    """Return one line that names an exception which the doctor itself raised, and where."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    return f"defect in torchdoctor: {type(error).__name__}: {error}{place}"
