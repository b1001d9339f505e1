"""Find the entries that share most words with a text."""

import json
from pathlib import Path

import pytest

from torchdoctor.explain import explain
from torchdoctor.explain.own_words.nearest import find_nearest
from torchdoctor.explain.text.clean import clean, number_lines
from torchdoctor.explain.text.split import split

QUESTION = "my laptop is slow in every epoch: which cudnn find algorithm engine is right for it"
UNRELATED = {
    "another bug": "ValueError: shapes (3,4) and (5,6) not aligned",
    "one word in common": "the word cudnn alone",
    "words of advice": "the cudnn algorithms look for a benchmark of this convolution",
    "another system": "/home/user/train.py: cudnn benchmark looks for convolution algorithms",
    "nothing": "",
}


def find(text: str, knowledge) -> list[str]:
    units = split(clean(number_lines(text), lambda line: False))
    return [each.entry.name for each in find_nearest(units, knowledge)]


def test_finds_the_nearest_entries(knowledge) -> None:
    assert "cudnn-init-failed" in find(QUESTION, knowledge)


def test_shows_the_line_with_most_in_common(knowledge) -> None:
    first = explain(f"first line\n\n{QUESTION}\n\nlast line", knowledge).diagnoses[0]
    assert [evidence.line for evidence in first.evidence] == [3]


@pytest.mark.parametrize("text", UNRELATED.values(), ids=UNRELATED)
def test_finds_nothing_for_unrelated_text(knowledge, text: str) -> None:
    assert find(text, knowledge) == []


def test_first_of_the_nearest_entries_is_mostly_right(knowledge, explain_samples: Path) -> None:
    """Words prove nothing; what they offer has to be more than noise, and for most problems there is an offer."""
    lines = (explain_samples / "variants.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["label"] != "none"]
    offered = found = 0
    for case in cases:
        nearest = find(case["text"], knowledge)
        offered += bool(nearest)
        found += bool(nearest) and nearest[0] in (case["label"], *case["also"])
    assert offered > 0.6 * len(cases)
    assert found > 2 / 3 * offered
