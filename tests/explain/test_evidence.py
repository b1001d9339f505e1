"""The evidence is what proves the diagnosis, and the place is the one that raised."""

from pathlib import Path

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain

SAMPLES = Path(__file__).parents[1] / "samples" / "explain"
KNOWLEDGE, _ = load_knowledge()


def test_warning_before_an_exception_is_no_evidence() -> None:
    text = (SAMPLES / "dl_lambda_warned-2.15.0.txt").read_text(encoding="utf-8")
    evidence = explain(text, KNOWLEDGE).diagnoses[0].evidence
    assert "UserWarning" in text and not any("UserWarning" in line.text for line in evidence)


def test_place_of_an_exception_in_a_worker_is_that_of_the_worker() -> None:
    text = (SAMPLES / "dl_worker_raises_index-2.15.0.txt").read_text(encoding="utf-8")
    diagnosis = explain(text, KNOWLEDGE).diagnoses[0]
    assert diagnosis.name == "dataset-raised-in-worker"
    assert r"`__getitem__` of" in diagnosis.lead and r"a.py, line 11" in diagnosis.lead
