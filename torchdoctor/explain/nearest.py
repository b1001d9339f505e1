"""The entries that a text shares most words with, for a text in which nothing is proof of anything."""

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

# Names, numbers of errors, and pairs of Chinese characters, which are words or parts of words.
_WORD = r"[a-z_][a-z0-9_]{2,60}|0x[0-9a-f]{4,16}|\d{3,10}|[\u4e00-\u9fff]{2}"
# What a word in the text of an entry counts beside one in its title or symptoms.
_IN_BODY = 0.5
# A word in at most so many entries says something; so many of those have to be shared.
_FEW_ENTRIES, _LEAST_WORDS = 12, 2


def find_nearest(units: Sequence[Unit], knowledge: Knowledge) -> tuple[Ranked, ...]:
    """Give the nearest entries, the nearest first; they are possible at most, as words prove nothing."""
    if is_foreign(units):
        return ()
    described = {name: _weigh_words(entry) for name, entry in knowledge.entries.items()}
    spread = Counter(word for words in described.values() for word in words)
    found = [set(_find_words(unit.text)) for unit in units]
    said, haystack = set[str]().union(*found), Haystack(units)
    worths = {}
    for name, words in described.items():
        shared = words.keys() & said
        rare = sum(spread[word] <= _FEW_ENTRIES for word in shared)
        if rare >= _LEAST_WORDS and not is_ruled_out(knowledge.entries[name], haystack):
            worths[name] = {word: words[word] * math.log(len(described) / spread[word]) for word in shared}
    best = sorted(worths, key=lambda name: (-sum(worths[name].values()), name))[:MAX_DIAGNOSES]
    return tuple(_rank(knowledge.entries[name], worths[name], found) for name in best)


def _rank(entry: Entry, worth: Mapping[str, float], found: Sequence[set[str]]) -> Ranked:
    """Rank by the worth of all shared words, and show the unit that holds most of it."""
    by_unit = [sum(worth.get(word, 0.0) for word in words) for words in found]
    best = by_unit.index(max(by_unit))
    return Ranked(entry, Confidence.POSSIBLE, sum(worth.values()), (Match(best, 0, 0, 1.0),))


def _weigh_words(entry: Entry) -> Mapping[str, float]:
    advice = entry.markdown.partition("\n## Avoid")[0].partition("\n## Bad")[0]
    words = dict.fromkeys(_find_words(advice), _IN_BODY)
    names = (entry.name.replace("-", " "), entry.title, *(symptom.text for symptom in entry.symptoms))
    return {**words, **dict.fromkeys(_find_words(" ".join(names)), 1.0)}


def _find_words(text: str) -> Iterable[str]:
    return pattern(_WORD).findall(lower(text))
