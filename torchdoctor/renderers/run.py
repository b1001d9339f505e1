"""Render the text that `run` writes to standard error."""

from collections.abc import Sequence

from torchdoctor.core.controls import strip_controls
from torchdoctor.explain.failure import Failure
from torchdoctor.renderers.explanation import render_text


def render_failure(failure: Failure, *, width: int = 100, colour: bool = False) -> str:
    """Render how a program ended, and the explanation of its output if there is one."""
    if failure.error is not None:
        return f"torchdoctor: no explanation: {strip_controls(failure.error)}\n"
    if failure.explanation is None:
        return (
            f"torchdoctor: the program ended with {failure.ending}; its output names no known problem of "
            "PyTorch on Windows (torchdoctor scan examines this machine)\n"
        )
    lines = [f"\ntorchdoctor: the program ended with {failure.ending}; what its output says:\n\n"]
    if failure.unconfirmed_reason is not None:
        lines.append(
            f"torchdoctor: this machine was not asked: {strip_controls(failure.unconfirmed_reason)}\n\n"
        )
    return "".join([*lines, render_text(failure.explanation, width, colour, asks_for_more=False)])


def render_launcher_note(path: str, program: Sequence[str]) -> str:
    """Render the note that a launcher was written."""
    return f"{path} written: double-click it to run {' '.join(program)}"
