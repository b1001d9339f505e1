"""The ends of long outputs."""

from __future__ import annotations

# A program is started by `run` without importing `typing` first.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import AnyStr


def take_last_lines(text: AnyStr, limit: int) -> AnyStr:
    """Return the last whole lines of a text, of at most so many characters or bytes in sum.

    In a part of a line, the key of a secret or the beginning of a path may be cut off, which tells of it.
    Of a longer line without an end, nothing is left.
    """
    if len(text) <= limit:
        return text
    line_end = "\n" if isinstance(text, str) else b"\n"
    return text[text.find(line_end, len(text) - limit - 1) + 1 or len(text) :]


def take_end(text: AnyStr, limit: int) -> AnyStr:
    """Return the last whole lines of a text, or the end of its last one if that alone is longer."""
    return take_last_lines(text, limit) or text[-limit:]
