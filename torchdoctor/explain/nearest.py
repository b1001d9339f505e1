"""Find the entries that share most words with a text that gives evidence for none."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.fold import lower
from torchdoctor.explain.match import Haystack, Match, is_ruled_out
from torchdoctor.explain.patterns import pattern
from torchdoctor.explain.platforms import is_foreign
from torchdoctor.explain.rank import MAX_DIAGNOSES, Ranked
from torchdoctor.explain.split import Unit
from torchdoctor.knowledge import Entry, Knowledge

# Identifiers, error numbers, and pairs of Chinese characters, which are words or parts of words.
_WORD = r"[a-z_][a-z0-9_]{2,60}|0x[0-9a-f]{4,16}|\d{3,10}|[\u4e00-\u9fff]{2}"
# The weight of a word in the body of an entry; in its name, title or symptoms it is 1.
_BODY_WEIGHT = 0.5
# A rare word occurs in at most this many entries; a text must share this many rare words with an entry.
_RARE_WORD_ENTRIES, _MIN_RARE_WORDS = 12, 2


def find_nearest(units: Sequence[Unit], knowledge: Knowledge) -> tuple[Ranked, ...]:
    """Return the nearest entries, nearest first; they are possible at most, as words prove nothing."""
    if is_foreign(units):
        return ()
    weights_by_entry = {name: _weigh_words(entry) for name, entry in knowledge.entries.items()}
    entry_counts = Counter(word for weights in weights_by_entry.values() for word in weights)
    unit_words = [set(_find_words(unit.text)) for unit in units]
    text_words, haystack = set[str]().union(*unit_words), Haystack(units)
    scores_by_entry = {}
    for name, weights in weights_by_entry.items():
        shared_words = weights.keys() & text_words
        rare_count = sum(entry_counts[word] <= _RARE_WORD_ENTRIES for word in shared_words)
        if rare_count >= _MIN_RARE_WORDS and not is_ruled_out(knowledge.entries[name], haystack):
            scores_by_entry[name] = {
                word: weights[word] * math.log(len(weights_by_entry) / entry_counts[word])
                for word in shared_words
            }
    best = sorted(scores_by_entry, key=lambda name: (-sum(scores_by_entry[name].values()), name))
    return tuple(
        _rank(knowledge.entries[name], scores_by_entry[name], unit_words) for name in best[:MAX_DIAGNOSES]
    )


def _rank(entry: Entry, word_scores: Mapping[str, float], unit_words: Sequence[set[str]]) -> Ranked:
    """Rank an entry by the scores of all shared words; its evidence is the unit with the highest score."""
    unit_scores = [sum(word_scores.get(word, 0.0) for word in words) for words in unit_words]
    best = unit_scores.index(max(unit_scores))
    return Ranked(entry, Confidence.POSSIBLE, sum(word_scores.values()), (Match(best, 0, 0, 1.0),))


def _weigh_words(entry: Entry) -> Mapping[str, float]:
    advice = entry.markdown.partition("\n## Avoid")[0].partition("\n## Bad")[0]
    body_weights = dict.fromkeys(_find_words(advice), _BODY_WEIGHT)
    names = (entry.name.replace("-", " "), entry.title, *(symptom.text for symptom in entry.symptoms))
    return {**body_weights, **dict.fromkeys(_find_words(" ".join(names)), 1.0)}


def _find_words(text: str) -> Iterable[str]:
    return pattern(_WORD).findall(lower(text))
