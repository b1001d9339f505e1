"""The words that messages are made of: those of the entries, and of several samples of errors.

`.ci/known_words.py` writes the list. A name of a person, a computer or a project is mostly none of them.
"""

import re
from functools import cache

from torchdoctor.core.bundled import read_bundled
from torchdoctor.domain.hosts import read_own_words
from torchdoctor.domain.random_words import looks_generated

# Letters of writings that have no blanks between words; of these, pairs of letters are known.
EAST_ASIAN = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[^\W\d_{EAST_ASIAN}]{{2,400}}")
_RUN = re.compile(rf"[{EAST_ASIAN}]{{1,400}}")
# A name of a person in Chinese, Japanese or Korean has fewer.
_FEW_PAIRS = 4
# The name of a computer or an account; those of cards and systems look alike.
_NUMBERED = re.compile(r"(?i)(?!(?:rtx|gtx|gt|rx|mx|hd|win|py|cp|cu|cuda|torch|hresult)\d)[a-z]{1,4}\d{4,9}")


def has_known_words(text: str) -> bool:
    """Return whether a text has words of messages and numbers alone."""
    return not looks_generated(text) and is_written(text)


def is_written(text: str) -> bool:
    """Return whether all words of a text are words of messages, whatever else it has."""
    if _NUMBERED.fullmatch(text):
        return False
    known = read_known_words()
    own = read_own_words()
    if not all(word.casefold() in known or word.casefold() in own for word in WORD.findall(text)):
        return False
    return all(_is_sentence([pair in known for pair in list_pairs(run)]) for run in _RUN.findall(text))


def list_pairs(run: str) -> list[str]:
    """Return the pairs of neighbours in a run of letters."""
    return [run[start : start + 2] for start in range(len(run) - 1)]


def _is_sentence(are_known: list[bool]) -> bool:
    """Return whether so many pairs of a run are known as in a sentence: all of a few, half of many."""
    return all(are_known) if len(are_known) < _FEW_PAIRS else 2 * sum(are_known) >= len(are_known)


@cache
def read_known_words() -> frozenset[str]:
    """Read the words, the pairs of letters, and the hosts that entries name; all in small letters."""
    return frozenset(read_bundled("torchdoctor.domain", "known_words.txt").decode("utf-8").split())
