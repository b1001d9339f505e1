"""Writes the answer file of a guest, the process that runs this package for the doctor."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def write_answer(file: str, answer: Mapping[str, object]) -> None:
    """Write an answer as JSON, replacing an earlier one."""
    import json

    with open(file, "w", encoding="utf-8") as stream:
        json.dump(answer, stream)


def read_message(error: object) -> str:
    """Return the text of an exception or a warning, or "" if its __str__ raises."""
    try:
        # A subclass of str may fail later, at whatever it is asked.
        return str.__str__(str(error))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""
