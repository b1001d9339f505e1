"""Find the words of a proof that an entry itself has: whatever else its pattern has matched is the text's."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from torchdoctor.core.patterns import pattern
from torchdoctor.knowledge import Entry, Symptom
from torchdoctor.redaction.words.vocabulary import EAST_ASIAN
from torchdoctor.redaction.words.word_starts import list_starts

# What is no word in a regular expression, in small letters: groups and their names, sets of letters, classes,
# and counts.
_META = (
    r"\(\?(?:p?<\w+>|p=\w+|[<!=:#]{1,2}|[a-z]{1,3}\))"
    r"|\{\d*,?\d*\}|\[(?:\\.|[^\]\\])*\]|\\[A-Za-z]|[\\^$.|?*+()]"
)
_WORD = rf"[{EAST_ASIAN}]+|[^\W\d_{EAST_ASIAN}]+|\d{{3,}}"


def find_proof_words(entry: Entry, proof: str) -> frozenset[str]:
    """Return the words of a proof, in small letters, that the symptoms of an entry have."""
    return find_own_words(_list_words_of(entry.symptoms), proof)


def find_words_of_pattern(expression: str, proof: str) -> frozenset[str]:
    """Return the words of a proof, in small letters, that the pattern that found it has."""
    return find_own_words(frozenset(_find_words([expression])), proof)


def find_own_words(own: frozenset[str], proof: str) -> frozenset[str]:
    """Return those of the words of a proof that are among others, or begin with one of them."""
    return frozenset(
        word for word in pattern(_WORD).findall(proof.lower()) if not own.isdisjoint(list_starts(word))
    )


@lru_cache(maxsize=64)
def _list_words_of(symptoms: tuple[Symptom, ...]) -> frozenset[str]:
    texts = (text for symptom in symptoms for text in (symptom.text, symptom.pattern or ""))
    return frozenset(_find_words(texts))


def _find_words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from pattern(_WORD).findall(pattern(_META).sub(" ", text.lower()))
