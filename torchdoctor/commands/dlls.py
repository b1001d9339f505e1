"""The `dlls` command: examine the images of a folder or wheel, and run the checks that need only them."""

from collections.abc import Sequence
from pathlib import Path

from torchdoctor.check import Check, Severity
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, run_checks
from torchdoctor.facts import Absent, DllClosure, Facts, VcRuntime
from torchdoctor.knowledge import Knowledge
from torchdoctor.pe import PeError
from torchdoctor.probes.dlls import examine_images


@record
class DllAnalysis:
    """The result of `dlls`."""

    closure: DllClosure
    outcomes: tuple[Outcome, ...]
    knowledge: Knowledge

    @property
    def exit_code(self) -> int:
        """1 if a finding is an error, 3 if a check errored, else 0."""
        severities = {finding.severity for outcome in self.outcomes for finding in outcome.findings}
        if Severity.ERROR in severities:
            return 1
        return 3 if any(outcome.status == "errored" for outcome in self.outcomes) else 0


def analyse_dlls(path: Path, search: Sequence[Path]) -> DllAnalysis:
    """Analyse the DLLs of a folder or wheel, and run the checks whose facts they provide.

    Raises:
        UsageError: there is nothing to analyse, or it cannot be read.
    """
    registry = load_registry()
    try:
        facts = examine_images(path, search)
    except (PeError, OSError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    closure = facts.get(DllClosure)
    assert isinstance(closure, DllClosure)
    checks = [check for check in registry.checks if {DllClosure, VcRuntime} & set(check.facts)]
    runnable = [check for check in checks if _has_needed_facts(check, facts)]
    return DllAnalysis(closure, run_checks(runnable, facts, registry.knowledge), registry.knowledge)


def _has_needed_facts(check: Check, facts: Facts) -> bool:
    needed = [parameter.fact for parameter in check.parameters if not parameter.tolerates_absence]
    return all(not isinstance(facts.get(fact), Absent) for fact in needed)
