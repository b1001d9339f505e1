"""The report: the value that a renderer turns into text."""

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


def find_advice(finding: Finding, name: str, knowledge: Knowledge) -> str | None:
    """Return the fix step for a finding, with the observed values filled in; None without an entry."""
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

    `taken_at` is the ISO 8601 time at which the facts were observed. `explanation` explains what a failed
    import of torch printed. `broken` holds the plugins and probes of the doctor itself that failed. `fail_on`
    is the lowest severity of a finding that makes the exit code 1.
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
        """Return the outcomes with a status, sorted by name."""
        return tuple(
            sorted(
                (outcome for outcome in self.outcomes if outcome.status == status),
                key=lambda outcome: outcome.name,
            )
        )

    def findings(self) -> tuple[tuple[Outcome, Finding], ...]:
        """Return every finding with its outcome: worst first, causes before their consequences."""
        pairs = [(outcome, finding) for outcome in self.outcomes for finding in outcome.findings]
        return tuple(
            sorted(pairs, key=lambda pair: _sort_key(*pair, is_echo=bool(self.causes_of(pair[0].name))))
        )

    def causes_of(self, name: str) -> tuple[str, ...]:
        """Return the names of the checks whose errors cause the findings of a check, as its entry says."""
        entry = self.knowledge.find(name)
        if entry is None:
            return ()
        errors = {
            outcome.name
            for outcome in self.outcomes
            if any(finding.severity is Severity.ERROR for finding in outcome.findings)
        }
        return tuple(sorted(errors & set(entry.echo_of)))

    def worst(self) -> Severity | None:
        """Return the worst severity of the findings, None if there are none."""
        severities = [finding.severity for _, finding in self.findings() if finding.severity]
        return max(severities, key=lambda severity: severity.rank, default=None)

    @property
    def exit_code(self) -> int:
        """1 if a finding is at or above `fail_on`, 3 if the doctor itself failed, else 0."""
        worst = self.worst()
        if worst is not None and worst.rank >= self.fail_on.rank:
            return 1
        if self.broken or self.outcomes_of("errored"):
            return 3
        return 0


def _sort_key(outcome: Outcome, finding: Finding, *, is_echo: bool) -> tuple[int, bool, str, str, int, str]:
    severity = finding.severity or outcome.severity
    path, line = (finding.location.path, finding.location.line) if finding.location else ("", 0)
    return (-severity.rank, is_echo, outcome.name, path, line, finding.message)
