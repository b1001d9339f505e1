"""Find by its words which entry a text may be about.

The weights of the words are learned from texts whose entry is known (`.ci/word_weights.py`). Words prove
nothing: what they say is possible at most, unless evidence says the same.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.patterns import pattern
from torchdoctor.explain.own_words.concepts import find_concepts
from torchdoctor.redaction.words.vocabulary import EAST_ASIAN

# The label of the texts that no entry is about.
NONE = "none"
# Of a longer text, the start and the end are read.
_MAX_LENGTH = 6000
# Cards of one generation fail alike ("rtx 5090" is "card50"), and so do the releases of one minor Python
# ("3.12.4" is "py312").
_CARD = (
    r"\b(?:(?:rtx|gtx)[ -]?(50|40|30|20|16|10|9)|(50|40|30|20|16|10))[5-9]0(?: ?(?:ti|super|m|d))?\b"
    r"(?! ?(?:[kmg]i?b|images|files|px|p|x)\b)"
)
_PYTHON = r"(?<![\d.])3\.(\d|1\d)(?:\.\d{1,3})?\b(?!\.\d)"
_ADDRESS, _LONG_NUMBER = r"0x[0-9a-f]{4,16}|\b[0-9a-f]{16,64}\b", r"\d{5,}"
# The name of a temporary folder, which is another one each time, and that of a person.
_TEMPORARY, _HOME = r"\btmp[a-z0-9_]{8}\b", r"\busers[\\/]{1,4}[^\\/\s\"']{1,60}"
_WORD = rf"[^\W\d_{EAST_ASIAN}][^\W{EAST_ASIAN}]+|\d{{2,4}}"
_EAST_ASIAN_RUN = rf"[{EAST_ASIAN}]{{2,200}}"


class _Table(NamedTuple):
    """What was learned: the intercept of each label, and the row of each word."""

    labels: Sequence[str]
    intercepts: Sequence[float]
    rows: Mapping[str, str]


def find_words(text: str) -> list[str]:
    """Return the words of a text and its pairs of words; of East Asian text, each two and three letters."""
    if len(text) > _MAX_LENGTH:
        text = f"{text[: _MAX_LENGTH // 2]}\n{text[-_MAX_LENGTH // 2 :]}"
    text = pattern(_HOME).sub("home", pattern(_TEMPORARY).sub("tmp", text.lower()))
    text = pattern(_CARD).sub(lambda match: f" card{match[1] or match[2]} ", text)
    text = pattern(_PYTHON).sub(r" py3\1 ", text)
    text = pattern(_LONG_NUMBER).sub("0", pattern(_ADDRESS).sub(" hex ", text))
    words: list[str] = pattern(_WORD).findall(text)
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(words)]
    runs: list[str] = pattern(_EAST_ASIAN_RUN).findall(text)
    parts = [
        run[start : start + size] for run in runs for size in (2, 3) for start in range(len(run) - size + 1)
    ]
    return words + pairs + parts


def find_features(text: str) -> list[str]:
    """Return what the table has weights for: the words of a text, its pairs of words, and its concepts."""
    return find_words(text) + find_concepts(text)


class WordScores(NamedTuple):
    """What the learned words of a text say.

    `gains` are what they add to the score of each label, and `shares` what each word adds. A score above 0 is
    that of a label that is almost surely right; most right ones are below.
    """

    scores: Mapping[str, float]
    gains: Mapping[str, float]
    shares: Mapping[str, Mapping[str, float]]


def weigh_words(text: str) -> WordScores:
    """Weigh the words of a text for each entry, and for `NONE`."""
    table = _read_table()
    counts = {word: count for word, count in Counter(find_features(text)).items() if word in table.rows}
    values: dict[str, float] = {}
    weights: dict[str, list[tuple[str, float]]] = {}
    for word, count in counts.items():
        idf, *pairs = table.rows[word].split(",")
        values[word] = float(idf) * (1 + math.log(count))
        weights[word] = [
            (table.labels[int(place)], int(weight) / 100)
            for place, weight in (pair.split(":") for pair in pairs)
        ]
    length = math.sqrt(math.fsum(value * value for value in values.values()))
    shares = {
        word: {label: weight * value / length for label, weight in weights[word]}
        for word, value in values.items()
    }
    gains = dict.fromkeys(table.labels, 0.0)
    for share in shares.values():
        for label, gain in share.items():
            gains[label] += gain
    intercepts = zip(table.labels, table.intercepts, strict=True)
    scores = {label: intercept + gains[label] for label, intercept in intercepts}
    return WordScores(scores, gains, shares)


@functools.lru_cache(maxsize=1)
def _read_table() -> _Table:
    lines = read_bundled("torchdoctor.explain.own_words", "word_weights.csv").decode("utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    labels, intercepts = zip(*(pair.split(":") for pair in lines[0].split(",")), strict=True)
    rows = dict(line.split(",", 1) for line in lines[1:])
    return _Table(labels, [int(intercept) / 100 for intercept in intercepts], rows)
