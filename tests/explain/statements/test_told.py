"""What a person tells in sentences: facts that go together, in several languages."""

import json
import re
from pathlib import Path

import pytest

from torchdoctor.explain import explain
from torchdoctor.explain.text.fold import lower
from torchdoctor.knowledge import EntryError, Knowledge, parse_entry
from torchdoctor.knowledge.told import FACTS

ENTRY = '```toml\nfamily = "gpu"\nseverity = "error"\nsymptoms = [{head}]\n```\n# T\n\nLead.\n\n## Why\nw\n\n## Fix\n1. a\n'


def tell(symptom: str, text: str) -> bool:
    """Return whether an entry with this symptom has evidence in a text."""
    entry = parse_entry("some-entry", ENTRY.replace("{head}", symptom))
    return explain(text, Knowledge({entry.name: entry})).has_evidence


def test_facts_are_found_in_several_lines() -> None:
    symptom = '{ told = ["gpu-load-low and cpu-load-high"], weight = 0.5 }'
    assert tell(symptom, "CPU at 100 % here\n\nand the GPU at 1 %")


def test_one_fact_of_a_set_is_no_evidence() -> None:
    symptom = '{ told = ["gpu-load-low and cpu-load-high"], weight = 0.5 }'
    assert not tell(symptom, "the GPU is at 1 %")


def test_a_fact_that_must_not_be_told_rules_out() -> None:
    symptom = '{ told = ["gpu-load-low"], not_told = ["nvidia-smi"], weight = 0.5 }'
    assert not tell(symptom, "the GPU is at 1 %, as nvidia-smi says")


def test_a_pattern_that_must_not_match_rules_out() -> None:
    symptom = '{ told = ["gpu-load-low"], without = "on another (?:pc|computer)", weight = 0.5 }'
    assert tell(symptom, "the GPU is at 1 %")
    assert not tell(symptom, "the GPU is at 1 % on another PC")


def test_load_of_the_processor_is_not_that_of_the_card() -> None:
    symptom = '{ told = ["gpu-load-low"], weight = 0.5 }'
    assert not tell(symptom, "CPU usage 5 % and the GPU works")


def test_a_line_of_code_tells_nothing() -> None:
    symptom = '{ told = ["cpu-not-gpu"], weight = 0.5 }'
    assert not tell(
        symptom, 'Traceback (most recent call last):\n  File "a.py", line 1, in cpu instead of gpu\n'
    )


@pytest.mark.parametrize(
    "symptom",
    [
        '{ told = ["no-such-fact"], weight = 0.5 }',
        '{ told = ["gpu-unused"], not_told = ["no-such-fact"], weight = 0.5 }',
        '{ told = ["gpu-unused"] }',
        "{ told = [], weight = 0.5 }",
        '{ told = ["gpu-unused"], text = "a", weight = 0.5 }',
    ],
)
def test_refuses_a_symptom_that_is_not_whole(symptom: str) -> None:
    with pytest.raises(EntryError, match="told"):
        parse_entry("some-entry", ENTRY.replace("{head}", symptom))


def test_each_fact_is_used(knowledge: Knowledge) -> None:
    symptoms = [symptom for entry in knowledge.entries.values() for symptom in entry.symptoms]
    used = {fact for symptom in symptoms for facts in symptom.told for fact in facts}
    assert FACTS.keys() == used | {fact for symptom in symptoms for fact in symptom.not_told}


@pytest.mark.parametrize("fact", FACTS)
def test_text_in_which_a_fact_is_told_has_one_of_its_words(fact: str, explain_samples: Path) -> None:
    """The words are looked for first: one that is missing hides what the pattern would find."""
    words, expression = FACTS[fact]
    regex = re.compile(expression, re.IGNORECASE)
    samples = (explain_samples / "variants.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [lower(json.loads(line)["text"]) for line in samples]
    told = [text for text in texts if regex.search(text)]
    assert told, "no sample tells it"
    assert [text for text in told if not any(word in text for word in words.split("|"))] == []
