"""Guess by its words and concepts what a text is about, where the evidence recognises nothing."""

import math
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.answer import Confidence, Verdict
from torchdoctor.explain.computer.platforms import is_foreign
from torchdoctor.explain.errors import find_errors
from torchdoctor.explain.match import Haystack, Match, is_ruled_out
from torchdoctor.explain.own_words.complaint import is_complaint
from torchdoctor.explain.own_words.concepts import find_concepts
from torchdoctor.explain.own_words.heard import find_heard
from torchdoctor.explain.own_words.nearest import find_nearest
from torchdoctor.explain.own_words.words import NONE, WordScores, find_words, weigh_words
from torchdoctor.explain.rank import MAX_DIAGNOSES, Ranked, is_in_exception, is_suspected
from torchdoctor.explain.text.split import Unit, join_units
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
# In a complaint without an error, an entry is likely by these margins: by the first if evidence has it too,
# by the second if the text has a fact that the entry lists. In complaints that the table had not been learned
# from, 9 of 10 such entries were right.
_SHARED_LIKELY, _HEARD_LIKELY, _LIKELY = 0.25, 0.27, 0.4
# What the things of a fact add to the score of its entry: so much each, the first less, up to the most.
_HEARD_GAIN, _HEARD_COST, _MAX_HEARD = 0.25, 0.15, 0.6
# In a complaint, evidence gives way to words that are so far before it: the name of a card is no problem.
# What is only a hint gives way by the smaller figure.
_FAR_FROM_HINT, _FAR = 0.25, 0.4
# Entries that people describe with the same words, and whose first steps tell them apart: none of them is a
# rival of another one.
_ALIKE = (
    frozenset({"cpu-only-build", "cuda-not-available", "gpu-load-not-shown"}),
    frozenset({"gpu-driver-reset", "hardware-fault"}),
    frozenset({"install-file-locked", "install-permission-denied"}),
    frozenset({"missing-main-guard", "worker-spawn-failed"}),
    frozenset({"no-nvidia-gpu", "integrated-gpu-used"}),
    frozenset({"torch-compile-windows", "triton-missing"}),
)
# What a text about training or running a model names; words are not weighed without one of these.
_FIELD = (
    r"torch|python|\bpip\b|conda|cuda|cudnn|\bgpu|\bcpu\b|nvidia|geforce|radeon|\bamd\b|\bv?ram\b"
    r"|\b(?:rtx|gtx)|\b[2-5]0[5-9]0\b|\bmodel|\btrain|epoch|data ?loader|dataset|worker|\btensor|onnx"
    r"|\bnumpy|triton|\bcompiler|xformers|\bvenv\b|comfy|webui|diffusion|whisper|\byolo|\bllm|llama|inference"
    r"|requirements\.txt|显卡|顯卡|显存|模型|训练|訓練|推理|グラボ|モデル|学習|그래픽|모델|학습|видеокарт|модел|обуч"
    r"|тренир|grafikkarte|modell|trainier|tarjeta gr|modelo|entren|carte graph|modèle|entraîn|placa de v"
    r"|出图|出圖|跑图|生图|画像生成"
)
_FIELD_CONCEPTS = frozenset({"@card-without-half", "@gpu", "@vram", "@worker"})
_NO_VERDICTS: Mapping[str, Verdict] = MappingProxyType({})


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
    verdicts: Mapping[str, Verdict] = _NO_VERDICTS,
    stated: Collection[str] = (),
    *,
    is_told: bool = True,
) -> Guess:
    """Add the entries that the words make possible to those that the evidence does, or that share most words.

    Evidence in an error, or of more than hints, stays first unless words of a complaint are far before it.
    `verdicts` are what the checks say of the environment of the text: words add none of their entries, but
    for those in `stated`, whose check fails on what a person states: words that speak for one as well make it
    likely. Of a text that no person told (`is_told`), no entry is likely by its words.
    """
    text = join_units(units)
    heard = find_heard(text, knowledge)
    weighed = weigh_words(text)
    words = _add_heard(weighed, heard)
    shared = (
        [] if ranked else [each for each in find_nearest(units, knowledge) if each.entry.name not in verdicts]
    )
    least = 0.0 if ranked else _MIN_GAIN
    is_asked = not is_foreign(units) and _is_of_field(text)
    names = _order_names(words, least, units, knowledge) if is_asked else []
    complains = is_complaint(units)
    may_be_likely = is_told and complains
    shown = next((name for name in names[:_CLOSE] if name in stated), None) if may_be_likely else None
    names = [name for name in names if name not in verdicts or name == shown]
    if not names:
        # Words that a text shares with an entry, and tells of no error and no trouble, are those of any text.
        return Guess((*ranked, *shared) if complains or find_errors(units) else tuple(ranked))
    margin = words.scores[names[0]] - _find_best_rival(names[0], words)
    found = {each.entry.name: each for each in (*ranked, *shared)}
    order = list(found)
    is_close = bool(order) and (order[0] in names[:_CLOSE] or margin < _MIN_MARGIN)
    is_strong = bool(ranked) and (is_in_exception(ranked[0], units) or is_suspected(ranked[0], units))
    is_far = complains and _is_far(order, names[0], words, _FAR if is_strong else _FAR_FROM_HINT)
    if is_far or not (is_close or is_strong):
        order.insert(0, names[0])
    order = list(dict.fromkeys(order + names))[:MAX_DIAGNOSES]
    diagnoses = [found.get(name) or _make_diagnosis(name, words, units, knowledge) for name in order]
    alike = _list_alike(names[0])
    is_first, is_found = order[0] in alike, not alike.isdisjoint(found)
    is_wide = margin >= _find_least(names[0], weighed, heard, is_found=is_found)
    if may_be_likely and is_first and is_wide:
        diagnoses[0] = diagnoses[0]._replace(confidence=Confidence.LIKELY)
    if shown and not is_strong:
        confirmed = found.get(shown) or _make_diagnosis(shown, words, units, knowledge)
        others = (each for each in diagnoses if each.entry.name != shown)
        return Guess((confirmed._replace(confidence=Confidence.LIKELY), *others), is_clear=True)
    is_clear = is_first and margin >= (_SHARED_MARGIN if is_found else _CLEAR_MARGIN)
    return Guess(tuple(diagnoses), is_clear)


def _find_least(name: str, weighed: WordScores, heard: Collection[str], *, is_found: bool) -> float:
    """Return the margin by which an entry is likely.

    A fact makes none likely that the words alone put behind the texts that no entry is about.
    """
    if is_found:
        return _SHARED_LIKELY
    if _list_alike(name).isdisjoint(heard):
        return _LIKELY
    return _HEARD_LIKELY if weighed.scores[name] > weighed.scores[NONE] else math.inf


def _add_heard(words: WordScores, heard: Mapping[str, int]) -> WordScores:
    """Add to the scores of entries what a person says to have seen."""
    scores, gains = dict(words.scores), dict(words.gains)
    for name, count in heard.items():
        if name in scores:
            gain = min(_HEARD_GAIN * count - _HEARD_COST, _MAX_HEARD)
            scores[name] += gain
            gains[name] += gain
    return words._replace(scores=scores, gains=gains)


def _is_of_field(text: str) -> bool:
    """Return whether a text names something of training or running a model."""
    is_named = pattern(_FIELD, True).search(text) is not None
    return is_named or not _FIELD_CONCEPTS.isdisjoint(find_concepts(text))


def _is_far(order: Sequence[str], name: str, words: WordScores, least: float) -> bool:
    """Return whether words put an entry farther than `least` before the one that evidence has first."""
    if not order or order[0] in _list_alike(name):
        return False
    return words.scores[name] - words.scores.get(order[0], words.scores[NONE]) > least


def _list_alike(name: str) -> frozenset[str]:
    """Return an entry and those that are described with the same words."""
    return frozenset({name}).union(*(group for group in _ALIKE if name in group))


def _find_best_rival(name: str, words: WordScores) -> float:
    """Return the best score of the entries that are described with other words than this one."""
    alike = _list_alike(name)
    return max(score for each, score in words.scores.items() if each not in alike)


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
