"""Explain why a program failed: by its output, and by the checks on this machine."""

import os

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.explain import Explanation, explain
from torchdoctor.explain.computer.platforms import find_system
from torchdoctor.explain.confirmation import confirm
from torchdoctor.processes.exit_codes import describe_exit
from torchdoctor.processes.program import ProgramResult


@record
class Failure:
    """How a program ended, and the explanation of its output, if there is evidence for one.

    `unconfirmed_reason` says why the explanation could not be confirmed on this machine. `error` is the
    exception that torchdoctor raised instead of an explanation.
    """

    ending: str
    explanation: Explanation | None = None
    unconfirmed_reason: str | None = None
    error: str | None = None


def explain_failure(finished: ProgramResult, python: str | None, watcher: Watcher | None = None) -> Failure:
    """Explain why a program failed; the watcher is called with the name of each probe that runs."""
    ending = describe_exit(finished.exit_code, is_windows=os.name == "nt")
    try:
        knowledge, _ = load_knowledge()
        explanation = explain(finished.output_with_ending, knowledge, find_system(), on_screen=True)
        if not explanation.recognised:
            is_known = explanation.has_evidence or explanation.program_error is not None
            return Failure(ending, explanation if is_known else None)
        return _confirm(ending, explanation, python, watcher)
    except Exception as error:
        # An exception would replace the program's exit code with that of torchdoctor.
        return Failure(ending, error=f"{type(error).__name__}: {error}")


def _confirm(ending: str, explanation: Explanation, python: str | None, watcher: Watcher | None) -> Failure:
    try:
        return Failure(ending, confirm(explanation, python, watcher))
    except UsageError as error:
        # An explanation that is not confirmed is still useful.
        return Failure(ending, explanation, str(error))
    except KeyboardInterrupt:
        return Failure(ending, explanation, "interrupted")
