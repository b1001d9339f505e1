"""Find entries by a few words: a number, the name of a DLL, a half-remembered name."""

import re

from torchdoctor.knowledge.entries import Entry, Knowledge

MAX_FOUND = 6
# A longer text is a message to explain, not a query.
MAX_QUERY_WORDS = 4
_WORD = re.compile(r"[\w.]+")
# Words of so many entries that they tell nothing apart.
_COMMON_WORDS = frozenset({"a", "the", "in", "on", "is", "error", "winerror", "windows", "torch", "pytorch"})


def is_query(text: str) -> bool:
    """Return whether a text is short enough to be a few words of a problem, not the text of an error."""
    return "\n" not in text.strip() and 0 < len(_WORD.findall(text)) <= MAX_QUERY_WORDS


def search_entries(knowledge: Knowledge, query: str) -> tuple[Entry, ...]:
    """Return the entries with every word of a query; those with it in codes, name or title come first."""
    words = [word for word in _WORD.findall(query.lower()) if word not in _COMMON_WORDS]
    scored = []
    for entry in knowledge.entries.values():
        scores = [_score(entry, word) for word in words]
        if scores and all(scores):
            scored.append((-sum(scores), entry.name, entry))
    return tuple(entry for _, _, entry in sorted(scored, key=lambda item: item[:2])[:MAX_FOUND])


def _score(entry: Entry, word: str) -> float:
    if word.isdecimal() and any(int(word) in numbers for numbers in entry.codes.values()):
        return 16
    if word in entry.name.split("-"):
        return 8
    if word in _WORD.findall(entry.title.lower()):
        return 4
    if any(word in symptom.text.lower() for symptom in entry.symptoms):
        return 2
    # An entry that repeats a word is about it.
    return min(entry.markdown.lower().count(word), 10) / 10
