"""Guess by its words and concepts what a text is about, where the evidence recognises nothing."""

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.complaint import is_complaint
from torchdoctor.explain.match import Haystack, Match, is_ruled_out
from torchdoctor.explain.nearest import find_nearest
from torchdoctor.explain.platforms import is_foreign
from torchdoctor.explain.rank import MAX_DIAGNOSES, Ranked, is_in_exception, is_suspected
from torchdoctor.explain.split import Unit, join_units
from torchdoctor.explain.words import NONE, WordScores, find_words, weigh_words
from torchdoctor.knowledge import Knowledge

# A text with fewer learned words is too short. Where nothing else is possible, a smaller gain does not count
# either. What is possible by evidence or shared words stays first where the learned words have it among so
# many, or put another entry before it by less. With these figures, 133 of 186 texts, from which the table had
# not been learned, got the right entry first; with evidence and shared words alone, 111.
_MIN_WORDS, _MIN_GAIN = 4, 0.3
_CLOSE, _MIN_MARGIN = 3, 0.05
# By the smaller margin, an entry is clearly first that evidence or shared words have as well; by the larger
# one, any. Of 244 texts, 58 of them about no entry, 21 had one that was clearly first, which was right in 19.
_SHARED_MARGIN, _CLEAR_MARGIN = 0.15, 0.3
# In a complaint without an error, an entry is likely by these margins; by the smaller one if evidence has it
# as well. In complaints that the table had not been learned from, 9 of 10 such entries were right.
_SHARED_LIKELY, _LIKELY = 0.25, 0.35
# What a text about training or running a model names; words are not weighed without one of these.
_FIELD = (
    r"torch|python|\bpip\b|conda|cuda|cudnn|\bgpu|\bcpu\b|nvidia|geforce|radeon|\bamd\b|\bv?ram\b"
    r"|\b(?:rtx|gtx)|\b[2-5]0[5-9]0\b|\bmodel|\btrain|epoch|data ?loader|dataset|worker|\btensor|onnx"
    r"|\bnumpy|triton|xformers|\bvenv\b|comfy|webui|diffusion|whisper|\byolo|\bllm|llama|inference"
    r"|requirements\.txt|显卡|顯卡|显存|模型|训练|訓練|推理|グラボ|モデル|学習|그래픽|모델|학습|видеокарт|модел|обуч"
    r"|тренир|grafikkarte|modell|trainier|tarjeta gr|modelo|entren|carte graph|modèle|entraîn|placa de v"
)


class Guess(NamedTuple):
    """What is possible, best first.

    `is_clear` is whether the learned words put the first one far before the others.
    """

    ranked: tuple[Ranked, ...] = ()
    is_clear: bool = False


def guess(
    ranked: Sequence[Ranked],
    units: Sequence[Unit],
    knowledge: Knowledge,
    judged: Collection[str] = (),
    *,
    is_told: bool = True,
) -> Guess:
    """Add the entries that the words make possible to those that the evidence does, or that share most words.

    Evidence in an error, or of more than hints, stays first. `judged` are the checks that decided on the
    environment of the text: words add none of their entries. Of a text that no person told (`is_told`), no
    entry is likely by its words.
    """
    text = join_units(units)
    words = weigh_words(text)
    shared = (
        [] if ranked else [each for each in find_nearest(units, knowledge) if each.entry.name not in judged]
    )
    least = 0.0 if ranked else _MIN_GAIN
    is_asked = not is_foreign(units) and bool(pattern(_FIELD, True).search(text))
    names = _order_names(words, least, units, knowledge) if is_asked else []
    names = [name for name in names if name not in judged]
    if not names:
        return Guess((*ranked, *shared))
    margin = words.scores[names[0]] - max(score for name, score in words.scores.items() if name != names[0])
    found = {each.entry.name: each for each in (*ranked, *shared)}
    order = list(found)
    is_close = bool(order) and (order[0] in names[:_CLOSE] or margin < _MIN_MARGIN)
    is_strong = bool(ranked) and (is_in_exception(ranked[0], units) or is_suspected(ranked[0], units))
    if not is_close and not is_strong:
        order.insert(0, names[0])
    order = list(dict.fromkeys(order + names))[:MAX_DIAGNOSES]
    diagnoses = [found.get(name) or _make_diagnosis(name, words, units, knowledge) for name in order]
    is_first, is_found = order[0] == names[0], names[0] in found
    is_wide = margin >= (_SHARED_LIKELY if is_found else _LIKELY)
    if is_told and is_first and is_wide and is_complaint(units):
        diagnoses[0] = diagnoses[0]._replace(confidence=Confidence.LIKELY)
    is_clear = is_first and margin >= (_SHARED_MARGIN if is_found else _CLEAR_MARGIN)
    return Guess(tuple(diagnoses), is_clear)


def _order_names(words: WordScores, least: float, units: Sequence[Unit], knowledge: Knowledge) -> list[str]:
    """Return the entries for which words add more than `least`, best first; none where `NONE` is best."""
    if len(words.shares) < _MIN_WORDS:
        return []
    scores = words.scores
    best = max(scores, key=lambda name: scores[name])
    if best == NONE or words.gains[best] <= least:
        return []
    haystack = Haystack(units)
    names = [
        name
        for name in sorted(scores, key=lambda name: (-scores[name], name))
        if name in knowledge.entries and words.gains[name] > least
    ]
    return [name for name in names if not is_ruled_out(knowledge.entries[name], haystack)][:MAX_DIAGNOSES]


def _make_diagnosis(name: str, words: WordScores, units: Sequence[Unit], knowledge: Knowledge) -> Ranked:
    """Return a diagnosis by words; its evidence is the unit whose words speak most for it."""
    # `sum` adds floats in another way from Python 3.12 on, and units with equal words would be told apart.
    gains = [
        math.fsum(words.shares.get(word, {}).get(name, 0.0) for word in dict.fromkeys(find_words(unit.text)))
        for unit in units
    ]
    best = gains.index(max(gains))
    return Ranked(knowledge.entries[name], Confidence.POSSIBLE, words.gains[name], (Match(best, 0, 0, 1.0),))
