"""Guess by its words what a text is about, where the evidence recognises nothing."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.match import Haystack, Match, is_ruled_out
from torchdoctor.explain.nearest import find_nearest
from torchdoctor.explain.platforms import is_foreign
from torchdoctor.explain.rank import MAX_DIAGNOSES, Ranked, is_in_exception
from torchdoctor.explain.split import Unit, join_units
from torchdoctor.explain.words import NONE, Weighing, find_words, weigh_words
from torchdoctor.knowledge import Knowledge

# A text with fewer learned words says nothing, nor, where nothing else is possible, do words that add less to
# a score. What is possible by evidence or shared words stays first where the learned words have it among so
# many, or put another entry before it by less. With these figures, 133 of 186 texts, from which the table had
# not been learned, got the right entry first; with evidence and shared words alone, 111.
_MIN_WORDS, _MIN_GAIN = 4, 0.3
_CLOSE, _MIN_MARGIN = 3, 0.05
# An entry that was first by this much was right in 17 of 24 of these texts.
_CLEAR_MARGIN = 0.2


class Guess(NamedTuple):
    """What is possible, best first; `is_clear` is whether the words put the first far before the others."""

    ranked: tuple[Ranked, ...] = ()
    is_clear: bool = False


def guess(
    ranked: Sequence[Ranked], units: Sequence[Unit], knowledge: Knowledge, judged: Collection[str] = ()
) -> Guess:
    """Add the entries that the words make possible to those that the evidence does, or that share most words.

    Evidence in an error stays first. `judged` are the checks that decided on the environment of the text:
    words add none of their entries.
    """
    weighing = weigh_words(join_units(units))
    shared = (
        [] if ranked else [each for each in find_nearest(units, knowledge) if each.entry.name not in judged]
    )
    least = 0.0 if ranked else _MIN_GAIN
    names = [] if is_foreign(units) else _order(weighing, least, units, knowledge)
    names = [name for name in names if name not in judged]
    if not names:
        return Guess((*ranked, *shared))
    margin = weighing.scores[names[0]] - max(
        score for name, score in weighing.scores.items() if name != names[0]
    )
    found = {each.entry.name: each for each in (*ranked, *shared)}
    order = list(found)
    is_close = bool(order) and (order[0] in names[:_CLOSE] or margin < _MIN_MARGIN)
    if not is_close and not (ranked and is_in_exception(ranked[0], units)):
        order.insert(0, names[0])
    order = list(dict.fromkeys(order + names))[:MAX_DIAGNOSES]
    return Guess(
        tuple(found.get(name) or _make(name, weighing, units, knowledge) for name in order),
        is_clear=order[0] == names[0] and margin >= _CLEAR_MARGIN,
    )


def _order(weighing: Weighing, least: float, units: Sequence[Unit], knowledge: Knowledge) -> list[str]:
    """Return the entries for which words add more than `least`, best first; none where `NONE` is best."""
    if len(weighing.shares) < _MIN_WORDS:
        return []
    scores = weighing.scores
    best = max(scores, key=lambda name: scores[name])
    if best == NONE or weighing.gains[best] <= least:
        return []
    haystack = Haystack(units)
    names = [
        name
        for name in sorted(scores, key=lambda name: (-scores[name], name))
        if name in knowledge.entries and weighing.gains[name] > least
    ]
    return [name for name in names if not is_ruled_out(knowledge.entries[name], haystack)][:MAX_DIAGNOSES]


def _make(name: str, weighing: Weighing, units: Sequence[Unit], knowledge: Knowledge) -> Ranked:
    """Return a diagnosis by words; its evidence is the unit whose words speak most for it."""
    gains = [
        sum(weighing.shares.get(word, {}).get(name, 0.0) for word in set(find_words(unit.text)))
        for unit in units
    ]
    best = gains.index(max(gains))
    return Ranked(
        knowledge.entries[name], Confidence.POSSIBLE, weighing.gains[name], (Match(best, 0, 0, 1.0),)
    )
