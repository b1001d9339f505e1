"""Confirm diagnoses on this machine by running the checks of their entries."""

from dataclasses import replace

from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, run_checks
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.explain.answer import Diagnosis, Explanation
from torchdoctor.facts import OperatingSystem


def confirm(explanation: Explanation, python: str | None, watcher: Watcher | None = None) -> Explanation:
    """Return the explanation with each diagnosis confirmed or not by the check of its entry.

    The watcher is called with the name of each probe when it starts and ends.

    Raises:
        UsageError: the interpreter cannot be examined.
    """
    registry = load_registry()
    names = {diagnosis.name for diagnosis in explanation.diagnoses}
    checks = [check for check in registry.checks if check.name in names]
    wanted_facts = {OperatingSystem, *(fact for check in checks for fact in check.facts)}
    with Examiner(python) as examiner:
        facts = examiner.examine(wanted_facts, watcher).facts
    outcomes = {outcome.name: outcome for outcome in run_checks(checks, facts, registry.knowledge)}
    diagnoses = (_confirm(diagnosis, outcomes.get(diagnosis.name)) for diagnosis in explanation.diagnoses)
    return replace(explanation, diagnoses=tuple(diagnoses))


def _confirm(diagnosis: Diagnosis, outcome: Outcome | None) -> Diagnosis:
    """Return a diagnosis with what the check says of this machine, if it says anything."""
    confirmed = _is_confirmed(outcome)
    return diagnosis if confirmed is None else replace(diagnosis, confirmed=confirmed, examined="machine")


def _is_confirmed(outcome: Outcome | None) -> bool | None:
    """Return whether the check failed, or None without a result."""
    if outcome is None or outcome.status not in ("passed", "failed"):
        return None
    return outcome.status == "failed"
