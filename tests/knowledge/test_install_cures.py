"""The answer to a text about an installation shows the step that cures it, and none that does not apply."""

import json
from pathlib import Path

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain

KNOWLEDGE, _ = load_knowledge()
SAMPLES = Path(__file__).parents[1] / "samples" / "explain" / "install_cures.jsonl"


@pytest.mark.parametrize("line", SAMPLES.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:60])
def test_answer_shows_what_cures_and_hides_what_does_not_apply(line: str) -> None:
    sample = json.loads(line)
    answer = explain(sample["text"], KNOWLEDGE).diagnoses[0]
    steps = " ".join(" ".join((answer.title, answer.lead, *answer.fix, answer.verify)).split())
    shown = [words for words in sample["shows"] if words not in steps]
    hidden = [words for words in sample["hides"] if words in steps]
    assert (answer.name, shown, hidden) == (sample["entry"], [], [])
