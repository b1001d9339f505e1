"""Formats tracebacks without the frames of this package, so that they begin in the user's code."""

from __future__ import annotations

import os
import traceback

_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_MAX_CHARACTERS = 20000


def format_traceback(error: BaseException) -> str:
    """Return the end of the traceback of an exception and of the exceptions that led to it."""
    formatted = traceback.TracebackException.from_exception(error)
    pending = [formatted]
    while pending:
        part = pending.pop()
        frames = [frame for frame in part.stack if not os.path.abspath(frame.filename).startswith(_FOLDER)]
        part.stack = traceback.StackSummary.from_list(frames)
        pending += [earlier for earlier in (part.__cause__, part.__context__) if earlier is not None]
    text = "".join(formatted.format())
    # Whole lines: a part of one may lack what tells that it is to be redacted.
    return text if len(text) <= _MAX_CHARACTERS else text[-_MAX_CHARACTERS:].partition("\n")[2]
