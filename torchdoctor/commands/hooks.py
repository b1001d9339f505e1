"""Explain exceptions where they are shown: at the end of a program, or below a cell of a notebook."""

import sys
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol

from torchdoctor.core.failures import describe_defect
from torchdoctor.terminal import screen

ExceptionHook = Callable[[type[BaseException], BaseException, TracebackType | None], object]
# Ends of a program that nobody needs explained.
_ENDINGS = (KeyboardInterrupt, SystemExit, GeneratorExit)
# What an endless recursion or a huge message may take of the text that is read.
_MOST_CHARACTERS = 200_000


class Shell(Protocol):
    """The part of an IPython shell that is used here."""

    events: Any


def install_hook() -> None:
    """Replace `sys.excepthook` by one that calls it, and then explains the exception on standard error.

    A second call changes nothing. An exception that is not recognised leaves the screen as it is.
    """
    if not isinstance(sys.excepthook, _Hook):
        sys.excepthook = _Hook(sys.excepthook)


class _Hook:
    """An exception hook that calls another one first."""

    def __init__(self, original: ExceptionHook) -> None:
        self._original = original

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._original(kind, error, trace)
        _show(error)


def watch_cells(shell: Shell) -> None:
    """Explain the exception of each cell that fails; a second call changes nothing."""
    unwatch_cells(shell)
    shell.events.register("post_run_cell", _explain_cell)


def unwatch_cells(shell: Shell) -> None:
    """Stop explaining the cells of a shell."""
    try:
        shell.events.unregister("post_run_cell", _explain_cell)
    except ValueError:
        # It was not watched.
        pass


def _explain_cell(result: Any) -> None:
    error = result.error_before_exec or result.error_in_exec
    if isinstance(error, BaseException):
        _show(error)


def _show(error: BaseException) -> None:
    """Show the explanation of an exception, if there is one; nothing that goes wrong here is raised."""
    if isinstance(error, _ENDINGS):
        return
    try:
        text = _explain(error)
    except Exception as defect:
        screen.show_message(f"no explanation: {describe_defect(defect)}")
        return
    if text:
        screen.show_error(f"\n{text}")


def _explain(error: BaseException) -> str:
    # Imported here: a program that does not fail needs none of it.
    from torchdoctor.engine.library import load_heads
    from torchdoctor.explain import explain
    from torchdoctor.explain.computer.platforms import find_system
    from torchdoctor.renderers.explanation import render_text

    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    if len(text) > _MOST_CHARACTERS:
        half = _MOST_CHARACTERS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    explanation = explain(text, load_heads(), find_system(), on_screen=True)
    if not explanation.recognised:
        return ""
    width, colour = screen.find_width(), screen.wants_colour(sys.stderr)
    return render_text(explanation, width, colour, asks_for_more=False)
