"""Where nothing is proof, the entries that share most words are offered, as possible at most."""

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
    assert "cudnn-init-failed" in [found.name for found in explain(QUESTION, knowledge).diagnoses]


def test_offer_is_no_recognition(knowledge) -> None:
    answer = explain(QUESTION, knowledge)
    assert not answer.recognised
    assert {found.confidence for found in answer.diagnoses} == {Confidence.POSSIBLE}


def test_shows_the_line_with_most_in_common(knowledge) -> None:
    first = explain(f"first line\n\n{QUESTION}\n\nlast line", knowledge).diagnoses[0]
    assert [evidence.line for evidence in first.evidence] == [3]


@pytest.mark.parametrize("text", UNRELATED.values(), ids=UNRELATED)
def test_offers_nothing_by_chance(knowledge, text: str) -> None:
    assert explain(text, knowledge).diagnoses == ()


def test_proof_is_not_crowded_by_offers(knowledge) -> None:
    found = explain(f"OSError: [WinError 1455] The paging file is too small\n\n{QUESTION}", knowledge)
    assert [diagnosis.name for diagnosis in found.diagnoses] == ["paging-file-too-small"]
