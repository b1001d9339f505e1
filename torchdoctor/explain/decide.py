"""Run the checks on the environment of a text, and rank its diagnoses by what they say."""

from collections.abc import Mapping, Sequence
from typing import cast

from torchdoctor.check import Check, Severity
from torchdoctor.core.patterns import pattern
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.texts import TextExamination, examine_environment
from torchdoctor.explain.answer import Confidence, Verdict
from torchdoctor.explain.errors import find_errors
from torchdoctor.explain.rank import DECISIVE, MAX_DIAGNOSES, Ranked, find_asides, is_in_exception, is_warning
from torchdoctor.explain.statements.successes import Works
from torchdoctor.explain.text.clean import Line
from torchdoctor.explain.text.split import Unit
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.readers import Environment

# An error that a problem of a family can cause; a failed check explains no other one.
_CAUSED = {
    "gpu": r"cuda|cudnn|cublas|nvidia|\bgpu\b|driver",
    "install": r"import|dll|no module|numpy|torchvision|torchaudio|operator \w+::|undefined symbol"
    r"|module '[\w.]+' has no attribute|_C\b|procedure",
    "dll": r"import|dll|winerror|procedure|no module",
}
# Errors of a program whose GPU works.
_OF_PROGRAM = r"same device|out of memory|device-side assert|mat1 and mat2|size mismatch|must match the size"
_SURER = {
    Confidence.POSSIBLE: Confidence.LIKELY,
    Confidence.LIKELY: Confidence.CERTAIN,
    Confidence.CERTAIN: Confidence.CERTAIN,
}
_loaded: dict[str, object] = {}
# The score of a diagnosis that only the environment shows.
_ADDED_SCORE = 0.7


def decide(
    ranked: tuple[Ranked, ...],
    environments: Sequence[Environment],
    units: Sequence[Unit],
    printed: Sequence[Line],
    knowledge: Knowledge,
) -> tuple[tuple[Ranked, ...], Mapping[str, Verdict]]:
    """Run the checks on the environments of a text, and rank its diagnoses by what they say.

    The verdicts are by the name of the check. One of the environments at least is decisive. A problem that
    the environment shows comes first if the first diagnosis is known as a consequence of it. `printed` are
    the lines of the text, with the progress bars that no unit has.
    """
    checks = _load_checks(knowledge)
    examinations = [
        examine_environment(environment, checks, knowledge)
        for environment in environments
        if environment.is_decisive
    ]
    verdicts = _agree_on_verdicts(examinations)
    judged = [_judge(each, verdicts.get(each.entry.name), units) for each in ranked]
    order = {id(each): place for place, each in enumerate(judged)}
    asides = find_asides(judged, units)
    judged.sort(
        key=lambda each: (
            each.entry.name in asides,
            *_rate(each, verdicts.get(each.entry.name)),
            order[id(each)],
        )
    )
    shown = _find_shown(verdicts, judged, knowledge)
    if not find_errors(units):
        works = Works(printed, environments)
        shown = [each for each in shown if not works.refutes(each.entry)]
        judged = [
            each._replace(confidence=Confidence.POSSIBLE) if works.refutes_dll_failure(each.entry) else each
            for each in judged
        ]
    causes = [
        each for each in (*judged, *shown) if judged and _is_shown_cause(each, judged[0].entry, verdicts)
    ]
    others = [each for each in judged if each not in causes]
    recognised = {each.entry.name for each in judged if each.confidence is not Confidence.POSSIBLE}
    added = [
        each
        for each in shown
        if each not in causes
        and recognised.isdisjoint(each.entry.echo_of)
        and _can_cause(each.entry, verdicts[each.entry.name], units)
    ]
    if causes and others and others[0] is judged[0] and _explains(causes[0], others[0], verdicts):
        # The error is explained by what the environment shows, and is no second problem.
        causes[0] = causes[0]._replace(echoes=(*causes[0].echoes, *others.pop(0).matches))
    has_answer = any(each.confidence is not Confidence.POSSIBLE for each in (*causes, *others))
    kept = others[: MAX_DIAGNOSES - min(len(added), 1)]
    return tuple([*causes, *(kept + added if has_answer else added + kept)][:MAX_DIAGNOSES]), verdicts


def _load_checks(knowledge: Knowledge) -> tuple[Check, ...]:
    """Return the checks of environments, which are loaded once for many texts."""
    if _loaded.get("knowledge") is not knowledge:
        registry = load_registry(lambda entry: "it reads code" if entry.reads_code else None, knowledge)
        _loaded.update(knowledge=knowledge, checks=registry.checks)
    return cast("tuple[Check, ...]", _loaded["checks"])


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


def _judge(ranked: Ranked, verdict: Verdict | None, units: Sequence[Unit]) -> Ranked:
    """Return a diagnosis that is surer if its check failed, and less so if the check passed."""
    if verdict is None or not verdict.is_sure:
        return ranked
    if verdict.failed:
        if is_in_exception(ranked, units) or _can_cause(ranked.entry, verdict, units):
            return ranked._replace(confidence=_SURER[ranked.confidence])
        return ranked
    if ranked.confidence is Confidence.LIKELY and not _is_proved(ranked, units):
        return ranked._replace(confidence=Confidence.POSSIBLE)
    return ranked


def _is_proved(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether an error says it, whatever was found: the program may run in another environment."""
    return any(match.weight >= DECISIVE and not is_warning(units[match.unit]) for match in ranked.matches)


def _rate(ranked: Ranked, verdict: Verdict | None) -> tuple[int, int]:
    standing = 1 if verdict is None else 0 if verdict.failed else 2
    return -ranked.confidence.rank, standing


def _find_shown(
    verdicts: Mapping[str, Verdict], judged: Sequence[Ranked], knowledge: Knowledge
) -> list[Ranked]:
    """Return the problems that the environment alone shows.

    What a person wrote of it counts as well where the first diagnosis is a consequence of the problem.
    """
    names = {each.entry.name for each in judged}
    causes = judged[0].entry.echo_of if judged else ()
    return [
        Ranked(knowledge.entries[name], Confidence.LIKELY, _ADDED_SCORE, ())
        for name, verdict in verdicts.items()
        if verdict.failed and (verdict.is_sure or name in causes) and name not in names
    ]


def find_stated(
    verdicts: Mapping[str, Verdict],
    printed: Sequence[Line],
    environments: Sequence[Environment],
    knowledge: Knowledge,
) -> frozenset[str]:
    """Return the entries whose check fails on what a person states, with more than a note.

    What programs printed is enough by itself, and a log of work refutes what only versions suggest.
    """
    works = Works(printed, environments)
    return frozenset(
        name
        for name, verdict in verdicts.items()
        if verdict.failed
        and not verdict.is_sure
        and verdict.worst >= Severity.WARNING.rank
        and not works.refutes(knowledge.entries[name])
    )


def _is_shown_cause(ranked: Ranked, consequence: Entry, verdicts: Mapping[str, Verdict]) -> bool:
    """Return whether a problem that the environment shows has a diagnosis as its consequence."""
    verdict = verdicts.get(ranked.entry.name)
    return (
        verdict is not None
        and verdict.failed
        # What is only noted of an environment explains no error.
        and verdict.worst >= Severity.WARNING.rank
        and (verdict.is_sure or ranked.confidence is not Confidence.POSSIBLE)
        and ranked.entry.name in consequence.echo_of
    )


def _explains(cause: Ranked, consequence: Ranked, verdicts: Mapping[str, Verdict]) -> bool:
    """Return whether a shown cause is sure enough that its consequence need not be told beside it."""
    return verdicts[cause.entry.name].is_sure or cause.confidence.rank >= consequence.confidence.rank


def _can_cause(entry: Entry, verdict: Verdict, units: Sequence[Unit]) -> bool:
    """Return whether a problem can be why somebody posts a text: it fits the error, or there is none."""
    errors = find_errors(units)
    worst = verdict.worst
    if not errors:
        return worst >= Severity.WARNING.rank
    # An entry that the card decides explains no error of importing, whatever its family.
    regex = _CAUSED["gpu"] if "gpu" in entry.decided_by else _CAUSED.get(entry.family)
    is_like = regex is not None and any(
        pattern(regex, True).search(unit.text) and not pattern(_OF_PROGRAM, True).search(unit.text)
        for unit in errors
    )
    return is_like and worst >= Severity.ERROR.rank
