"""The `facts` command: observe every fact of this machine, to be examined elsewhere."""

from torchdoctor.core.record import record
from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.plugin_facts import load_plugin_facts
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.stopwatch import Watcher, read_clock
from torchdoctor.facts import SUBJECTS, Facts


@record
class ObservedFacts:
    """The facts, the time at which they were observed (ISO 8601), and the probes that failed."""

    facts: Facts
    taken_at: str
    broken: tuple[Broken, ...]

    @property
    def exit_code(self) -> int:
        """3 if a probe itself failed, else 0."""
        return 3 if self.broken else 0


def observe_facts(python: str | None, *, trials: bool, watcher: Watcher | None = None) -> ObservedFacts:
    """Observe every fact of this machine and of an interpreter, by default that of the project.

    Raises:
        UsageError: the interpreter cannot be examined.
    """
    others = load_plugin_facts()
    with Examiner(python, runs_trials=trials) as examiner:
        examination = examiner.examine((*SUBJECTS, *others.probes), watcher)
    broken = examination.broken if others.probes else (*examination.broken, *others.broken)
    return ObservedFacts(examination.facts, read_clock(), broken)
