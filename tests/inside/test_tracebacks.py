"""A traceback begins in the user's code, in every exception of a chain."""

from pathlib import Path

from torchdoctor.inside import answers
from torchdoctor.inside.tracebacks import format_traceback


class Unwritable:
    """A value that JSON cannot hold."""


def _fail(file: Path) -> None:
    try:
        answers.write_answer(str(file), {"value": Unwritable()})
    except TypeError as error:
        raise ValueError("outer") from error


def test_own_frames_are_left_out_of_every_exception(tmp_path: Path) -> None:
    try:
        _fail(tmp_path / "answer.json")
    except ValueError as error:
        text = format_traceback(error)
    assert "answers.py" not in text
    assert ("in _fail" in text, "json" in text, text.endswith("ValueError: outer\n")) == (True, True, True)
