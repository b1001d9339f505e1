"""Show the facts of the machine."""

from typing import TYPE_CHECKING

from torchdoctor.actions.showing import make_shareable, show_broken, write
from torchdoctor.core.targets import keep_inputs
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path


def facts(python: str | None, *, trials: bool, output: "Path | None" = None, no_redact: bool = False) -> int:
    """Observe the machine, and show the facts as JSON."""
    from torchdoctor.commands.facts import observe_facts
    from torchdoctor.core.version import __version__
    from torchdoctor.renderers import json

    keep_inputs(output)
    with ProgressLine() as progress:
        observation = observe_facts(python, trials=trials, watcher=progress.watch)
    shown_facts = make_shareable(observation.facts, "json", no_redact)
    write(json.render_facts(shown_facts, __version__, observation.taken_at), output)
    show_broken(observation.broken)
    return observation.exit_code
