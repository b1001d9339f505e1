"""What `run` says after a failure: the explanation of what was printed, asked of this machine as well."""

import os
import sys

from torchdoctor.exit_codes import describe_exit
from torchdoctor.explain import explain
from torchdoctor.library import load_knowledge
from torchdoctor.probes.program import Finished
from torchdoctor.renderers.explanation import render_text
from torchdoctor.screen import make_encodable


def explain_failure(finished: Finished, python: str | None) -> None:
    """Write to standard error what is known about this end."""
    how = describe_exit(finished.exit_code, is_windows=os.name == "nt")
    knowledge, _ = load_knowledge()
    text = finished.output + f"\nProcess finished with exit code {finished.exit_code}\n".encode()
    found = explain(text, knowledge)
    if not found.recognised:
        _write(
            f"torchdoctor: the program ended with {how}; its output names no known problem of PyTorch on "
            "Windows (torchdoctor scan examines this machine)\n"
        )
        return
    _write(f"\ntorchdoctor: the program ended with {how}; what its output says:\n\n")
    from torchdoctor.commands import confirm
    from torchdoctor.usage import UsageError

    try:
        found = confirm(found, python)
    except UsageError as error:
        # The explanation of the text stands without the machine's word.
        _write(f"torchdoctor: this machine was not asked: {error}\n\n")
    colour = sys.stderr.isatty() and os.name != "nt" and not os.environ.get("NO_COLOR")
    _write(render_text(found, 100, colour))


def _write(text: str) -> None:
    try:
        sys.stderr.write(make_encodable(text, sys.stderr.encoding or "ascii"))
        sys.stderr.flush()
    except OSError:
        pass
