"""The report: one value that holds all that a renderer needs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from torchdoctor.check import Finding, Severity
from torchdoctor.core.record import record
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.loader.plan import LoaderPlan

if TYPE_CHECKING:
    from torchdoctor.explain.answer import Explanation


def advise(finding: Finding, name: str, knowledge: Knowledge) -> str | None:
    """Give the fix step that applies to a finding, with what was seen filled in; None without an entry."""
    entry = knowledge.find(name)
    if entry is None:
        return None
    values = {
        key: str(value) for key, value in finding.evidence.items() if isinstance(value, (str, int, float))
    }
    return entry.fill(entry.find_step(finding.step), values)


@record
class Timings:
    """How long each probe and each check took, in seconds, by name."""

    probes: Mapping[str, float]
    checks: Mapping[str, float]


@record
class Report:
    """The result of an examination.

    `taken_at` is the ISO 8601 time at which the facts were taken. `explanation` is that of what a failed
    import of torch printed. `broken` are plugins and probes of the doctor itself that failed. `fail_on` is
    the least severity of a finding that makes the exit code 1.
    """

    version: str
    taken_at: str
    facts: Facts
    outcomes: tuple[Outcome, ...]
    knowledge: Knowledge
    plan: LoaderPlan
    explanation: "Explanation | None" = None
    broken: tuple[Broken, ...] = ()
    notices: tuple[str, ...] = ()
    timings: Timings | None = None
    fail_on: Severity = Severity.ERROR

    def outcomes_of(self, status: str) -> tuple[Outcome, ...]:
        """Give the outcomes with a status, by name."""
        return tuple(
            sorted(
                (outcome for outcome in self.outcomes if outcome.status == status),
                key=lambda outcome: outcome.name,
            )
        )

    def findings(self) -> tuple[tuple[Outcome, Finding], ...]:
        """Give every finding with its outcome: worst first, causes before their echoes."""
        pairs = [(outcome, finding) for outcome in self.outcomes for finding in outcome.findings]
        return tuple(
            sorted(pairs, key=lambda pair: _order(*pair, is_echo=bool(self.causes_of(pair[0].name))))
        )

    def causes_of(self, name: str) -> tuple[str, ...]:
        """Give the failed checks whose mere consequence a failed check is."""
        entry = self.knowledge.find(name)
        errors = {
            outcome.name
            for outcome in self.outcomes
            if any(finding.severity is Severity.ERROR for finding in outcome.findings)
        }
        return tuple(sorted(errors & set(entry.echo_of))) if entry else ()

    def worst(self) -> Severity | None:
        """Give the worst severity found, None when nothing was."""
        found = [finding.severity for _, finding in self.findings() if finding.severity]
        return max(found, key=lambda severity: severity.rank, default=None)

    @property
    def exit_code(self) -> int:
        """1 for a finding at or above `fail_on`, 3 for a failure of the doctor itself, else 0."""
        worst = self.worst()
        if worst is not None and worst.rank >= self.fail_on.rank:
            return 1
        if self.broken or self.outcomes_of("errored"):
            return 3
        return 0


def _order(outcome: Outcome, finding: Finding, *, is_echo: bool) -> tuple[int, bool, str, str, int, str]:
    severity = finding.severity or outcome.severity
    path, line = (finding.location.path, finding.location.line) if finding.location else ("", 0)
    return (-severity.rank, is_echo, outcome.name, path, line, finding.message)
