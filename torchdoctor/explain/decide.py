"""Let the checks decide: run them on the environment of the text, and rank the"
" diagnoses anew by what they say."""

from collections.abc import Mapping, Sequence

from torchdoctor.check import Severity
from torchdoctor.core.patterns import pattern
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.texts import TextExamination, examine_environment
from torchdoctor.explain.answer import Confidence, Verdict
from torchdoctor.explain.rank import MAX_DIAGNOSES, Ranked, is_warning
from torchdoctor.explain.split import Kind, Unit
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.readers import Environment

# An error that a problem of a family can cause; a failed check explains no other one.
_CAUSED = {
    "gpu": r"cuda|cudnn|cublas|nvidia|\bgpu\b|device|driver",
    "install": r"import|dll|no module|numpy|torchvision|torchaudio|operator \w+::|cuda|undefined"
    r"|attribute|_C\b|procedure",
    "dll": r"import|dll|winerror|procedure|module",
}
_SURER = {
    Confidence.POSSIBLE: Confidence.LIKELY,
    Confidence.LIKELY: Confidence.CERTAIN,
    Confidence.CERTAIN: Confidence.CERTAIN,
}
# The score of a diagnosis that only the environment shows.
_ADDED_SCORE = 0.7


def decide(
    ranked: tuple[Ranked, ...],
    environments: Sequence[Environment],
    units: Sequence[Unit],
    knowledge: Knowledge,
) -> tuple[tuple[Ranked, ...], Mapping[str, Verdict]]:
    """Run the checks on the environments of a text, and rank its diagnoses by what they say.

    The verdicts are by the name of the check.

    One of the environments at least is decisive.
    """
    registry = load_registry(lambda entry: "it reads code" if entry.reads_code else None, knowledge)
    examinations = [
        examine_environment(environment, registry.checks, knowledge)
        for environment in environments
        if environment.is_decisive
    ]
    verdicts = _agree_on_verdicts(examinations)
    judged = [_judge(each, verdicts.get(each.entry.name)) for each in ranked]
    added = _find_added(verdicts, judged, units, knowledge)
    order = {id(each): place for place, each in enumerate(judged)}
    judged.sort(key=lambda each: (*_rate(each, verdicts.get(each.entry.name)), order[id(each)]))
    has_answer = any(each.confidence is not Confidence.POSSIBLE for each in judged)
    kept = judged[: MAX_DIAGNOSES - min(len(added), 1)]
    merged = [*kept, *added] if has_answer else [*added, *judged]
    return tuple(merged[:MAX_DIAGNOSES]), verdicts


def _agree_on_verdicts(examinations: Sequence[TextExamination]) -> Mapping[str, Verdict]:
    """Return what every environment of the text agrees on: which one an error is of is not known."""
    verdicts: dict[str, Verdict] = {}
    for outcome in examinations[0].outcomes:
        others = [
            other
            for examination in examinations[1:]
            for other in examination.outcomes
            if other.name == outcome.name
        ]
        statuses = {outcome.status, *(other.status for other in others)}
        if len(statuses) == 1 and outcome.status in ("passed", "failed"):
            is_sure = all(outcome.name not in examination.unsure for examination in examinations)
            proof = examinations[0].find_proof(outcome)
            verdicts[outcome.name] = Verdict(outcome.status == "failed", is_sure, outcome, proof)
    return verdicts


def _judge(ranked: Ranked, verdict: Verdict | None) -> Ranked:
    """Return a diagnosis that is surer if its check failed, and less so if the check passed."""
    if verdict is None or not verdict.is_sure:
        return ranked
    if verdict.failed:
        return ranked._replace(confidence=_SURER[ranked.confidence])
    if ranked.confidence is Confidence.LIKELY:
        return ranked._replace(confidence=Confidence.POSSIBLE)
    return ranked


def _rate(ranked: Ranked, verdict: Verdict | None) -> tuple[int, int]:
    standing = 1 if verdict is None else 0 if verdict.failed else 2
    return -ranked.confidence.rank, standing


def _find_added(
    verdicts: Mapping[str, Verdict], judged: Sequence[Ranked], units: Sequence[Unit], knowledge: Knowledge
) -> list[Ranked]:
    """Return the problems that only the environment shows, if they can cause the error of the text."""
    names = {each.entry.name for each in judged}
    errors = [unit for unit in units if unit.kind is Kind.EXCEPTION and not is_warning(unit)]
    return [
        Ranked(knowledge.entries[name], Confidence.LIKELY, _ADDED_SCORE, ())
        for name, verdict in verdicts.items()
        if verdict.failed and verdict.is_sure and name not in names
        if _is_error(verdict) and (not errors or _can_cause(knowledge.entries[name], errors))
    ]


def _is_error(verdict: Verdict) -> bool:
    return any(finding.severity is Severity.ERROR for finding in verdict.outcome.findings)


def _can_cause(entry: Entry, errors: Sequence[Unit]) -> bool:
    regex = _CAUSED.get(entry.family)
    return regex is not None and any(pattern(regex, True).search(unit.text) for unit in errors)
