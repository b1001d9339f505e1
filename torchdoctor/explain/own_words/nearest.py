"""Find the entries that share most words with a text that gives evidence for none."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.computer.platforms import is_foreign
from torchdoctor.explain.match import Haystack, Match, is_ruled_out
from torchdoctor.explain.rank import MAX_DIAGNOSES, Ranked
from torchdoctor.explain.text.fold import lower
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.knowledge import Entry, Knowledge

# A program in one line, whose words are those of Python.
_LONG_COMMAND = r'(?m)^[ ]*python -c "[^\n]{200,}$'
# Identifiers, error numbers, and pairs of Chinese characters, which are words or parts of words.
_WORD = r"[a-z_][a-z0-9_]{2,60}|0x[0-9a-f]{4,16}|\d{3,10}|[\u4e00-\u9fff]{2}"
# The weight of a word in the body of an entry; in its name, title or symptoms it is 1.
_BODY_WEIGHT = 0.3
# The weight of a word by the kind of its unit: errors tell most, the frames above them little.
_UNIT_WEIGHTS = {Kind.EXCEPTION: 2.0, Kind.LOOSE: 1.0, Kind.FRAME: 0.2}
# The parameters of Okapi BM25: how soon a repeated word stops to count, and how much an entry's length does.
_SATURATION, _LENGTH_SHARE = 2.0, 0.75
# A rare word occurs in at most this many entries. A text must share this many of them with an entry: so many
# of its name, title and symptoms, or that its advice repeats often, or so many in all. Of the entries that
# share fewer, one in ten is right.
_RARE_WORD_ENTRIES, _MIN_NAMING_WORDS, _MIN_RARE_WORDS = 12, 2, 5


@record
class _Vocabulary:
    """The weight of each word of each entry, in how many entries a word is, and how long entries are."""

    words: Mapping[str, Mapping[str, float]]
    entry_counts: Mapping[str, int]
    lengths: Mapping[str, float]
    mean_length: float


def find_nearest(units: Sequence[Unit], knowledge: Knowledge) -> tuple[Ranked, ...]:
    """Return the nearest entries, nearest first; they are possible at most, as words prove nothing."""
    if is_foreign(units):
        return ()
    vocabulary = _read_vocabulary(knowledge)
    unit_words = [list(dict.fromkeys(_find_words(unit.text))) for unit in units]
    text_words = _weigh_text(units, unit_words)
    haystack = Haystack(units)
    scores_by_entry = {}
    for name, words in vocabulary.words.items():
        # In one order, so that sums are the same each time.
        shared_words = [word for word in words if word in text_words]
        rare = [words[word] for word in shared_words if vocabulary.entry_counts[word] <= _RARE_WORD_ENTRIES]
        is_near = sum(weight >= 1 for weight in rare) >= _MIN_NAMING_WORDS or len(rare) >= _MIN_RARE_WORDS
        if is_near and not is_ruled_out(knowledge.entries[name], haystack):
            length = vocabulary.lengths[name] / vocabulary.mean_length
            half = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length)
            scores_by_entry[name] = {
                word: text_words[word]
                * math.log(1 + len(vocabulary.words) / vocabulary.entry_counts[word])
                * words[word]
                / (words[word] + half)
                for word in shared_words
            }
    best = sorted(scores_by_entry, key=lambda name: (-math.fsum(scores_by_entry[name].values()), name))
    return tuple(
        _rank(knowledge.entries[name], scores_by_entry[name], unit_words) for name in best[:MAX_DIAGNOSES]
    )


@lru_cache(maxsize=1)
def _read_vocabulary(knowledge: Knowledge) -> _Vocabulary:
    words_by_entry = {name: _weigh_entry(entry) for name, entry in knowledge.entries.items()}
    lengths = {name: math.fsum(words.values()) for name, words in words_by_entry.items()}
    return _Vocabulary(
        words_by_entry,
        Counter(word for words in words_by_entry.values() for word in words),
        lengths,
        math.fsum(lengths.values()) / max(len(lengths), 1),
    )


def _weigh_text(units: Sequence[Unit], unit_words: Sequence[Sequence[str]]) -> Mapping[str, float]:
    """Return the weight of each word of the text: that of the most telling unit with it."""
    weights: dict[str, float] = {}
    for unit, words in zip(units, unit_words, strict=True):
        for word in words:
            weights[word] = max(weights.get(word, 0.0), _UNIT_WEIGHTS[unit.kind])
    return weights


def _rank(entry: Entry, word_scores: Mapping[str, float], unit_words: Sequence[Sequence[str]]) -> Ranked:
    """Rank an entry by the scores of all shared words; its evidence is the unit with the highest score."""
    unit_scores = [math.fsum(word_scores.get(word, 0.0) for word in words) for words in unit_words]
    best = unit_scores.index(max(unit_scores))
    return Ranked(entry, Confidence.POSSIBLE, math.fsum(word_scores.values()), (Match(best, 0, 0, 1.0),))


def _weigh_entry(entry: Entry) -> Mapping[str, float]:
    """Return the weight of each word of an entry that describes the problem or its cure."""
    advice = entry.markdown.partition("\n## Avoid")[0].partition("\n## Bad")[0]
    advice = pattern(_LONG_COMMAND).sub("", advice)
    names = (entry.name.replace("-", " "), entry.title) * 2
    head = " ".join((*names, *(symptom.text for symptom in entry.symptoms)))
    weights: dict[str, float] = {}
    for text, weight in ((head, 1.0), (advice, _BODY_WEIGHT)):
        for word in _find_words(text):
            weights[word] = weights.get(word, 0.0) + weight
    return weights


def _find_words(text: str) -> Iterable[str]:
    return pattern(_WORD).findall(lower(text))
