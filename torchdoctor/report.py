"""The report: the value that a renderer turns into text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from torchdoctor.advice import Advice, find_advice, find_python, find_values, fit_to_machine
from torchdoctor.check import Finding, Severity
from torchdoctor.core.recent import remember_recent
from torchdoctor.core.record import record
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Absent, Facts, Processor, TorchImportTrial, TorchInstall
from torchdoctor.facts.partial import drop_partial
from torchdoctor.knowledge import Knowledge
from torchdoctor.knowledge.mending import list_installed
from torchdoctor.loader.plan import LoaderPlan

if TYPE_CHECKING:
    from torchdoctor.explain.answer import Diagnosis, Explanation
    from torchdoctor.readers import Environment
    from torchdoctor.readers.questions import Question

# No machine has more findings; which of them one step mends is asked of each two.
_MOST_RELATED = 100


@record
class Timings:
    """How long each probe and each check took, in seconds, by name."""

    probes: Mapping[str, float]
    checks: Mapping[str, float]


@record
class Description:
    """The environment that a text describes, in place of a machine.

    `source` names the text; `question` is what to run to know what the text leaves open.
    """

    source: str
    environment: Environment
    question: Question | None = None


@record
class Report:
    """The result of an examination.

    `taken_at` is the ISO 8601 time at which the facts were observed. `explanation` explains what a failed
    import of torch printed. `broken` holds the plugins and probes of the doctor itself that failed. `fail_on`
    is the lowest severity of a finding that makes the exit code 1. `facts_file` is the file that the facts
    are from, and `description` is what a text states of them; both are None if they were observed.
    `config_file` is the configuration of the project, None without one. `unread` are the files of training
    code that could not be read.
    """

    version: str
    taken_at: str
    facts: Facts
    outcomes: tuple[Outcome, ...]
    knowledge: Knowledge
    plan: LoaderPlan
    explanation: Explanation | None = None
    broken: tuple[Broken, ...] = ()
    notices: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    timings: Timings | None = None
    fail_on: Severity = Severity.ERROR
    facts_file: str | None = None
    config_file: str | None = None
    description: Description | None = None

    @property
    def source(self) -> str | None:
        """The file that the facts are from, None if they were observed."""
        return self.description.source if self.description is not None else self.facts_file

    @property
    def whole_facts(self) -> Facts:
        """The facts without those of which some field is unknown; a description says what it has."""
        return self.facts if self.description is not None else drop_partial(self.facts)

    @property
    def python(self) -> str | None:
        """The path of the examined interpreter, None if it is not known."""
        return find_python(self.facts)

    @property
    def known_plan(self) -> LoaderPlan | None:
        """The plan; None if the processor or torch is not known, or torch cannot be imported."""
        trial = self.whole_facts.get(TorchImportTrial)
        has_failed = isinstance(trial, TorchImportTrial) and not trial.imports_torch
        is_unknown = any(isinstance(self.whole_facts.get(fact), Absent) for fact in (Processor, TorchInstall))
        return None if is_unknown or has_failed else self.plan

    def outcomes_of(self, status: str) -> tuple[Outcome, ...]:
        """Return the outcomes with a status, sorted by name."""
        return tuple(
            sorted(
                (outcome for outcome in self.outcomes if outcome.status == status),
                key=lambda outcome: outcome.name,
            )
        )

    def findings(self) -> tuple[tuple[Outcome, Finding], ...]:
        """Return every finding with its outcome: worst first, then those that cause most others.

        One whose step mends others counts as much as the worst of these, and they come after it.
        """
        pairs = _sort_by_cause(self)
        mended = _find_mended(self)
        if not mended:
            return pairs
        ranks: dict[str, int] = {}
        for outcome, finding in pairs:
            for name in mended.get(_name_finding(outcome, finding), ()):
                ranks[name] = max(ranks.get(name, 0), _find_rank(outcome, finding))
        return tuple(
            sorted(
                pairs,
                key=lambda pair: (
                    -max(_find_rank(*pair), ranks.get(pair[0].name, 0)),
                    _name_finding(*pair) in mended or bool(self.causes_of(pair[0].name)),
                    pair[0].name not in ranks,
                ),
            )
        )

    def mended_with(self, name: str, finding: Finding) -> tuple[str, ...]:
        """Return the names of the checks whose step mends a finding as well, as its entry says."""
        return _find_mended(self).get((name, finding.message), ())

    def describe_relation(self, name: str, finding: Finding) -> str:
        """Return which findings cause a finding or mend it as well, "" if there are none."""
        if causes := self.causes_of(name):
            return f"a consequence of {', '.join(causes)}"
        menders = self.mended_with(name, finding)
        return f"mended with {', '.join(menders)}" if menders else ""

    def causes_of(self, name: str) -> tuple[str, ...]:
        """Return the names of the checks whose findings cause those of a check, as its entry or they say.

        A cause is at least as severe as its consequence.
        """
        entry = self.knowledge.find(name)
        if entry is None:
            return ()
        ranks, explaining = _find_ranks(self.outcomes), _find_explaining(self.outcomes)
        causes = explaining.get(name, frozenset()).union(entry.echo_of).difference((name,))
        return tuple(sorted(cause for cause in causes if ranks.get(cause, -1) >= ranks.get(name, 0)))

    def explained_cause_of(self, name: str) -> Diagnosis | None:
        """Return what a failed trial's output points to as the cause of a finding, if no check found that.

        What a process printed before it died is its cause if that is certain, whatever the entry of the
        finding knows. A check that looked for that cause, and found nothing, knows better. Of a text whose
        error proves a finding, it is the explanation of the error itself, which knows more values.
        """
        entry = self.knowledge.find(name)
        if entry is None or self.explanation is None or self.causes_of(name):
            return None
        first = self.explanation.diagnoses[0]
        if first.name == name and self.description is not None and first.confidence.value == "certain":
            return first
        if first.name == name or any(each.name == first.name for each in self.outcomes_of("passed")):
            return None
        is_told = first.confidence.value == "certain" and self._tells_last_words(name)
        return first if is_told or first.name in entry.echo_of else None

    def _tells_last_words(self, name: str) -> bool:
        """Return whether a check reports a process that died, and what it printed before."""
        findings = (
            finding for outcome in self.outcomes if outcome.name == name for finding in outcome.findings
        )
        return any(
            finding.evidence.get("outcome") == "died" and finding.evidence.get("stderr_tail")
            for finding in findings
        )

    def list_other_explanations(self) -> tuple[Diagnosis, ...]:
        """Return what the output of a failed import points to, if no finding tells its cause."""
        diagnoses = () if self.explanation is None else self.explanation.diagnoses
        names = {diagnosis.name for diagnosis in diagnoses}
        # What a baseline knows is no news, and neither is what its output points to.
        failed = [outcome.name for outcome in self.outcomes if outcome.findings or outcome.known]
        for name in failed:
            entry = self.knowledge.find(name)
            is_failure = entry is not None and not names.isdisjoint(entry.echo_of)
            if name in names or self.explained_cause_of(name) or (is_failure and self.causes_of(name)):
                return ()
        return diagnoses

    @property
    def known_count(self) -> int:
        """How many findings a baseline has left out."""
        return sum(outcome.known for outcome in self.outcomes)

    def find_title(self, name: str, finding: Finding) -> str:
        """Return the title of the problem, with the observed values filled in; the name without an entry."""
        cause, entry = self.explained_cause_of(name), self.knowledge.find(name)
        if cause is not None:
            return cause.title if cause.confidence.value == "certain" else f"Probably: {cause.title}"
        return entry.fill(entry.title, find_values(finding)) if entry is not None else name

    def advise(self, name: str, finding: Finding) -> Advice | None:
        """Return the fix step for a finding, that of the cause if it is known; None without an entry."""
        cause = self.explained_cause_of(name)
        if cause is not None:
            return Advice(fit_to_machine(self.facts, cause.fix[0]), step=cause.name)
        return find_advice(finding, name, self.knowledge, self.facts, self.known_plan)

    @property
    def examined_nothing(self) -> bool:
        """Whether no check had anything to look at."""
        return all(outcome.status == "skipped" for outcome in self.outcomes)

    def worst(self) -> Severity | None:
        """Return the worst severity of the findings, None if there are none."""
        severities = [finding.severity for _, finding in self.findings() if finding.severity]
        return max(severities, key=lambda severity: severity.rank, default=None)

    @property
    def exit_code(self) -> int:
        """1 if a finding is at or above `fail_on`, 3 if the doctor failed or stopped a check, else 0."""
        worst = self.worst()
        if worst is not None and worst.rank >= self.fail_on.rank:
            return 1
        return 3 if self.has_failed else 0

    @property
    def has_failed(self) -> bool:
        """Whether a part of the doctor failed, or a check was stopped because it took too long."""
        is_stopped = any(outcome.unread for outcome in self.outcomes)
        return bool(self.broken or self.outcomes_of("errored") or is_stopped)


def find_exit_code(reports: Iterable[Report]) -> int:
    """Return the exit code of several reports: 1 if one of them has 1, else 3 if one has 3, else 0."""
    codes = {report.exit_code for report in reports}
    return next((code for code in (1, 3) if code in codes), 0)


@remember_recent
def _sort_by_cause(report: Report) -> tuple[tuple[Outcome, Finding], ...]:
    """Return every finding with its outcome: worst first, causes before consequences."""
    pairs = [(outcome, finding) for outcome in report.outcomes for finding in outcome.findings]
    causes = {name: report.causes_of(name) for name in {outcome.name for outcome, _ in pairs}}
    consequences = Counter(name for names in causes.values() for name in names)
    return tuple(
        sorted(
            pairs,
            key=lambda pair: (
                -_find_rank(*pair),
                bool(causes[pair[0].name]),
                -consequences[pair[0].name],
                *_find_order(*pair),
            ),
        )
    )


@remember_recent
def _find_mended(
    report: Report,
) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the findings that the step for another one mends as well, and the names of those checks.

    Of two that mend each other, the first one stays.
    """
    pairs = _sort_by_cause(report)
    entries = {outcome.name: report.knowledge.find(outcome.name) for outcome, _ in pairs}
    if not any(entry is not None and entry.mended_by for entry in entries.values()):
        return {}
    here = [pair for pair in pairs if pair[1].location is None and not report.causes_of(pair[0].name)]
    if len(here) > _MOST_RELATED:
        return {}
    installed = [_list_installed(report, outcome.name, finding) for outcome, finding in here]

    def is_mended(place: int, by: int) -> bool:
        (outcome, finding), entry = here[place], entries[here[place][0].name]
        if entry is None or outcome.name == here[by][0].name:
            return False
        values = find_values(finding)
        return any(
            mending.is_done_by(finding.step, installed[by], lambda text: entry.fill(text, values))
            for mending in entry.mended_by
        )

    places = range(len(here))
    menders = {
        place: [by for by in places if is_mended(place, by) and not (by > place and is_mended(by, place))]
        for place in places
    }
    return {
        _name_finding(*here[place]): names
        for place, found in menders.items()
        # The step for a finding that another one mends is not the one to do.
        if (names := tuple(dict.fromkeys(here[by][0].name for by in found if not menders[by])))
    }


def _list_installed(report: Report, name: str, finding: Finding) -> Mapping[str, str]:
    advice = report.advise(name, finding)
    return {} if advice is None else list_installed(advice.text)


@remember_recent
def _find_ranks(outcomes: tuple[Outcome, ...]) -> Mapping[str, int]:
    """Return the worst rank of the findings of each check that has some."""
    return {outcome.name: _find_worst_rank(outcome) for outcome in outcomes if outcome.findings}


@remember_recent
def _find_explaining(outcomes: tuple[Outcome, ...]) -> Mapping[str, set[str]]:
    """Return for each check the names of those whose findings explain its own."""
    explaining: dict[str, set[str]] = {}
    for outcome in outcomes:
        for name in {name for finding in outcome.findings for name in finding.explains}:
            explaining.setdefault(name, set()).add(outcome.name)
    return explaining


def _find_worst_rank(outcome: Outcome) -> int:
    return max(_find_rank(outcome, finding) for finding in outcome.findings)


def _find_rank(outcome: Outcome, finding: Finding) -> int:
    return (finding.severity or outcome.severity).rank


def _name_finding(outcome: Outcome, finding: Finding) -> tuple[str, str]:
    return outcome.name, finding.message


def _find_order(outcome: Outcome, finding: Finding) -> tuple[str, str, int, int, str]:
    place = finding.location
    path, cell, line = (place.path, place.cell or 0, place.line) if place is not None else ("", 0, 0)
    return (outcome.name, path, cell, line, finding.message)
