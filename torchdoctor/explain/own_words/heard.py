"""Find what a person says to have seen of a problem: the facts that an entry lists, whatever the words.

A fact is a few things in one sentence: a computer, and that it goes off. `things.txt` and `concepts.txt` have
the words for them. The more things agree, the more a fact says; a sentence proves nothing, so what is heard
only adds to what the words of the text say.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.patterns import pattern
from torchdoctor.explain.own_words.concepts import read_concepts
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.words.vocabulary import EAST_ASIAN

# A longer text is a log, whose start is what a person says of it.
_MAX_LENGTH, _MAX_SENTENCES = 3000, 60
_SENTENCE_END = r"[.!?;:]+(?=\s|$)|[。！？；\n]+"
# A person writes "doesn't", "doesnt" or "does not".
_NOT = r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should)n['’]?t\b"
# The size of a picture is no card.
_SIZE = r"\b\d{3,4} ?(?:px\b|pixels?\b|x ?\d{3,4}\b)"
_CANNOT, _WILL_NOT = r"\b(?:cannot|can['’]?t)\b", r"\bwon['’]?t\b"
_WORD = rf"[^\W_{EAST_ASIAN}]+(?:[+.][^\W_{EAST_ASIAN}]+)*"
# So many other words stand at most between those of a phrase with "..", or letters where there are no blanks.
_MAX_BETWEEN, _MAX_LETTERS_BETWEEN = 3, 8


class _Sentence(NamedTuple):
    """A sentence in lower case, and its words."""

    text: str
    words: Sequence[str]


def find_heard(text: str, knowledge: Knowledge) -> Mapping[str, int]:
    """Return how many things agree in the facts of each entry, where the text has any of them.

    A thing that is in no list, as an entry of a plugin can name, is never heard.
    """
    sentences = list(_split(text))
    whole = _Sentence("\n".join(each.text for each in sentences), ())
    in_text: dict[str, bool] = {}
    in_sentence: dict[tuple[str, int], bool] = {}

    def has(thing: str, index: int) -> bool:
        if thing not in in_text:
            in_text[thing] = _may_have(thing, whole.text)
        if not in_text[thing]:
            return False
        key = (thing, index)
        if key not in in_sentence:
            in_sentence[key] = _has(thing, sentences[index])
        return in_sentence[key]

    def is_met(things: Sequence[str]) -> bool:
        return any(all(has(thing, index) for thing in things) for index in range(len(sentences)))

    heard: dict[str, int] = {}
    for name, entry in knowledge.entries.items():
        counts = [sum(map(len, fact)) for fact in entry.heard if all(map(is_met, fact))]
        if counts:
            heard[name] = max(counts)
    return heard


def _split(text: str) -> Iterator[_Sentence]:
    text = pattern(_SIZE).sub(" ", text[:_MAX_LENGTH].lower())
    text = pattern(_CANNOT).sub("can not", pattern(_WILL_NOT).sub("will not", text))
    text = pattern(_NOT).sub(r"\1 not", text)
    for sentence in pattern(_SENTENCE_END).split(text)[:_MAX_SENTENCES]:
        if sentence.strip():
            yield _Sentence(sentence, pattern(_WORD).findall(sentence))


def _may_have(thing: str, text: str) -> bool:
    """Return quickly whether a text has a part of some phrase for a thing."""
    concept = read_concepts().get(thing)
    if concept is not None:
        return pattern(concept).search(text) is not None
    return any(phrase[0].rstrip("*") in text for phrase in _read_things().get(thing, ()))


def _has(thing: str, sentence: _Sentence) -> bool:
    concept = read_concepts().get(thing)
    if concept is not None:
        return pattern(concept).search(sentence.text) is not None
    return any(
        phrase[0].rstrip("*") in sentence.text and _has_phrase(phrase, sentence)
        for phrase in _read_things().get(thing, ())
    )


def _has_phrase(phrase: Sequence[str], sentence: _Sentence) -> bool:
    if pattern(f"[{EAST_ASIAN}]").search(phrase[0]):
        return _has_run(phrase, sentence.text)
    return any(
        _is_word(phrase[0], word) and _continues(phrase[1:], sentence.words, place + 1)
        for place, word in enumerate(sentence.words)
    )


def _continues(phrase: Sequence[str], words: Sequence[str], place: int) -> bool:
    """Return whether the rest of a phrase stands at a place."""
    if not phrase:
        return True
    if phrase[0] == "..":
        return any(_continues(phrase[1:], words, place + gap) for gap in range(_MAX_BETWEEN + 1))
    return (
        place < len(words) and _is_word(phrase[0], words[place]) and _continues(phrase[1:], words, place + 1)
    )


def _is_word(pattern_of_word: str, word: str) -> bool:
    if pattern_of_word.endswith("*"):
        return word.startswith(pattern_of_word[:-1])
    return word == pattern_of_word


def _has_run(phrase: Sequence[str], text: str) -> bool:
    """Return whether a text has the parts of a phrase near each other, in a writing without blanks."""
    start = text.find(phrase[0])
    while start >= 0:
        end = start + len(phrase[0])
        for part in phrase[1:]:
            if part != "..":
                place = text.find(part, end, end + _MAX_LETTERS_BETWEEN + len(part))
                if place < 0:
                    break
                end = place + len(part)
        else:
            return True
        start = text.find(phrase[0], start + 1)
    return False


@functools.lru_cache(maxsize=1)
def _read_things() -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the phrases for each thing, each as its words."""
    lines = read_bundled("torchdoctor.explain.own_words", "things.txt").decode("utf-8").splitlines()
    pairs = [line.split(": ", 1) for line in lines if line and not line.startswith("#")]
    return {name: [phrase.split() for phrase in phrases.split(" | ")] for name, phrases in pairs}
