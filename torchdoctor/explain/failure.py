"""What a program's failed end means: its output explained, and this machine asked about it."""

import os

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.explain import Explanation, explain
from torchdoctor.explain.confirmation import confirm
from torchdoctor.processes.exit_codes import describe_exit
from torchdoctor.processes.program import Finished


@record
class Failure:
    """How a program ended, and the explanation of its output where that is recognised.

    `unasked` is the reason why this machine could not confirm the explanation. `defect` is what the
    doctor raised in place of an explanation.
    """

    ending: str
    explanation: Explanation | None = None
    unasked: str | None = None
    defect: str | None = None


def explain_failure(finished: Finished, python: str | None, watcher: Watcher | None = None) -> Failure:
    """Explain the end of a program; the watcher is called with the name of each probe that is run."""
    ending = describe_exit(finished.exit_code, is_windows=os.name == "nt")
    try:
        knowledge, _ = load_knowledge()
        text = finished.output + f"\nProcess finished with exit code {finished.exit_code}\n".encode()
        found = explain(text, knowledge)
        return _confirm(ending, found, python, watcher) if found.recognised else Failure(ending)
    except Exception as error:
        # The exit code is the program's, whatever becomes of our words about it.
        return Failure(ending, defect=f"{type(error).__name__}: {error}")


def _confirm(ending: str, found: Explanation, python: str | None, watcher: Watcher | None) -> Failure:
    try:
        return Failure(ending, confirm(found, python, watcher))
    except UsageError as error:
        # The explanation of the text stands without the machine's word.
        return Failure(ending, found, str(error))
    except KeyboardInterrupt:
        return Failure(ending, found, "interrupted")
