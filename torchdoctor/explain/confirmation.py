"""Asks this machine about diagnoses: runs the checks of their entries."""

from dataclasses import replace

from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, run_checks
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.explain.answer import Explanation
from torchdoctor.facts import OperatingSystem


def confirm(found: Explanation, python: str | None, watcher: Watcher | None = None) -> Explanation:
    """Return the explanation with each diagnosis confirmed or not by the check of its entry.

    The watcher is called with the name of each probe when it starts and ends.

    Raises:
        UsageError: the interpreter cannot be examined.
    """
    registry = load_registry()
    names = {diagnosis.name for diagnosis in found.diagnoses}
    checks = [check for check in registry.checks if check.name in names]
    wanted = {OperatingSystem, *(fact for check in checks for fact in check.facts)}
    facts = Examiner(python).examine(wanted, watcher).facts
    outcomes = {outcome.name: outcome for outcome in run_checks(checks, facts, registry.knowledge)}
    diagnoses = (
        replace(each, confirmed=_read_confirmation(outcomes.get(each.name))) for each in found.diagnoses
    )
    return replace(found, diagnoses=tuple(diagnoses))


def _read_confirmation(outcome: Outcome | None) -> bool | None:
    if outcome is None or outcome.status not in ("passed", "failed"):
        return None
    return outcome.status == "failed"
