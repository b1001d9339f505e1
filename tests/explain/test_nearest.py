"""Without evidence for any entry, the entries with the most words in common are offered as possible."""

import pytest

from torchdoctor.explain import Confidence, explain

QUESTION = "my laptop is slow in every epoch since cudnn benchmark looks for convolution algorithms"
UNRELATED = {
    "another bug": "ValueError: shapes (3,4) and (5,6) not aligned",
    "one word in common": "the word cudnn alone",
    "another system": "/home/user/train.py: cudnn benchmark looks for convolution algorithms",
    "nothing": "",
}


def test_offers_the_nearest_entries(knowledge) -> None:
    assert "cudnn-init-failed" in [diagnosis.name for diagnosis in explain(QUESTION, knowledge).diagnoses]


def test_offered_entries_are_only_possible(knowledge) -> None:
    explanation = explain(QUESTION, knowledge)
    assert not explanation.recognised
    assert {diagnosis.confidence for diagnosis in explanation.diagnoses} == {Confidence.POSSIBLE}


def test_shows_the_line_with_most_in_common(knowledge) -> None:
    first = explain(f"first line\n\n{QUESTION}\n\nlast line", knowledge).diagnoses[0]
    assert [evidence.line for evidence in first.evidence] == [3]


@pytest.mark.parametrize("text", UNRELATED.values(), ids=UNRELATED)
def test_offers_nothing_for_unrelated_text(knowledge, text: str) -> None:
    assert explain(text, knowledge).diagnoses == ()


def test_offers_nothing_beside_a_recognised_entry(knowledge) -> None:
    explanation = explain(f"OSError: [WinError 1455] The paging file is too small\n\n{QUESTION}", knowledge)
    assert [diagnosis.name for diagnosis in explanation.diagnoses] == ["paging-file-too-small"]
