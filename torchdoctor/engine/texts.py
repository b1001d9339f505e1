"""Run the checks on the environment that a text describes."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from torchdoctor.check import Check, Finding, Severity
from torchdoctor.core.record import record
from torchdoctor.engine.runner import Outcome, run_checks
from torchdoctor.facts import Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.readers import Environment, Statement
from torchdoctor.readers.facts import make_facts

_BY_HAND = ", by what a person wrote"


@record
class TextExamination:
    """What the checks say of an environment in a text.

    `unsure` are the checks that fail only with what a person wrote by hand; their findings are warnings at
    most.
    """

    environment: Environment
    facts: Facts
    outcomes: tuple[Outcome, ...]
    unsure: frozenset[str]

    def find_proof(self, outcome: Outcome) -> tuple[Statement, ...]:
        """Return the statements whose values the first finding of an outcome, or what passed, names."""
        words = _list_words(outcome)
        return tuple(
            each for each in self.environment.statements if any(_is_named(each.value, word) for word in words)
        )


def examine_environment(
    environment: Environment, checks: Iterable[Check], knowledge: Knowledge
) -> TextExamination:
    """Run checks on what a text states of an environment; a check that needs more is skipped.

    What a person wrote by hand is weaker than what a program printed, and makes nothing an error by itself.
    """
    checks = tuple(checks)
    facts = make_facts(environment)
    outcomes = run_checks(checks, facts, knowledge)
    if all(statement.is_printed for statement in environment.statements):
        return TextExamination(environment, facts, outcomes, frozenset())
    printed = run_checks(checks, make_facts(environment.keep_printed()), knowledge)
    sure = {outcome.name: outcome.findings for outcome in printed}
    unsure = frozenset(
        outcome.name for outcome in outcomes if outcome.findings and outcome.findings != sure[outcome.name]
    )
    weakened = tuple(_weaken(each, sure) if each.name in unsure else each for each in outcomes)
    return TextExamination(environment, facts, weakened, unsure)


def _weaken(outcome: Outcome, sure: Mapping[str, tuple[Finding, ...]]) -> Outcome:
    findings = tuple(
        finding if finding in sure[outcome.name] else _weaken_finding(finding) for finding in outcome.findings
    )
    return replace(outcome, findings=findings)


def _weaken_finding(finding: Finding) -> Finding:
    severity = finding.severity or Severity.ERROR
    return replace(
        finding,
        message=f"{finding.message}{_BY_HAND}",
        severity=min(severity, Severity.WARNING, key=lambda each: each.rank),
    )


def _list_words(outcome: Outcome) -> tuple[str, ...]:
    if outcome.findings:
        finding = outcome.findings[0]
        return (finding.message, *(str(value) for value in finding.evidence.values()))
    return outcome.passed


def _is_named(value: str, words: str) -> bool:
    start = words.find(value)
    if start < 0:
        return False
    before, after = words[start - 1 : start], words[start + len(value) : start + len(value) + 1]
    return not (before.isalnum() or after.isalnum())
