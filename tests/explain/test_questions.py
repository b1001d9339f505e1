"""What people ask, as they ask it: few have an error line. The words of these texts were learned from, so that the
rates here only guard against a loss."""

import json
from collections.abc import Iterator

import pytest

from torchdoctor.explain import Confidence, Explanation, explain

Answered = list[tuple[dict[str, object], Explanation]]


@pytest.fixture(scope="module")
def answered(knowledge, explain_samples) -> Answered:
    lines = (explain_samples / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [(case, explain(case["text"], knowledge)) for case in map(json.loads, lines)]


def list_firsts(answered: Answered) -> Iterator[tuple[dict[str, object], str, Confidence | None]]:
    for case, explanation in answered:
        first = explanation.diagnoses[0] if explanation.diagnoses else None
        yield case, first.name if first else "", first.confidence if first else None


def test_most_questions_get_the_right_entry_first(answered) -> None:
    asked = [row for row in list_firsts(answered) if row[0]["label"] != "none"]
    wrong = [case["id"] for case, name, _ in asked if name not in (case["label"], *case["also"])]
    assert len(asked) > 100
    assert len(wrong) <= 0.12 * len(asked), wrong


def test_no_wrong_answer_is_certain(answered) -> None:
    assert [
        (case["id"], name)
        for case, name, confidence in list_firsts(answered)
        if confidence is Confidence.CERTAIN and name not in (case["label"], *case["also"])
    ] == []


def test_hardly_a_question_about_something_else_is_recognised(answered) -> None:
    others = [(case["id"], explanation) for case, explanation in answered if case["label"] == "none"]
    recognised = [name for name, explanation in others if explanation.recognised]
    assert len(others) > 30
    assert len(recognised) <= 0.04 * len(others), recognised
