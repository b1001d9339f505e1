"""Where the system gives no more of something, the line says what to do, and calls it no defect."""

import errno

import pytest

from torchdoctor.core.failures import describe_failure

SHORTAGES = [
    (MemoryError(), "memory"),
    (RuntimeError("can't start new thread"), "memory"),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), "memory"),
    (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "memory"),
    (OSError(errno.EMFILE, "Too many open files", "a.py"), "files"),
    (OSError(errno.ENFILE, "Too many open files in system"), "files"),
]


@pytest.mark.parametrize(("error", "word"), SHORTAGES, ids=lambda value: repr(value)[:40])
def test_shortage_is_no_defect(error: Exception, word: str) -> None:
    message, code = describe_failure(error)
    assert (word in message, "defect" in message, "\n" in message, code) == (True, False, False, 3)


@pytest.mark.parametrize("error", [RuntimeError("other"), OSError(errno.EIO, "I/O error"), KeyError("a")])
def test_other_exception_is_a_defect(error: Exception) -> None:
    message, code = describe_failure(error)
    assert (message.startswith("defect in torchdoctor: "), code) == (True, 3)
