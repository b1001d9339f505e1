"""A symptom with `after` counts only below that text in the same traceback."""

from torchdoctor.explain import Confidence, explain
from torchdoctor.knowledge import index_entries, parse_entry

ENTRY = """```toml
family = "source"
severity = "error"
symptoms = [{ text = "w.start()", after = "_Fixup_Main_", weight = 0.9 }]
references = ["https://docs.python.org/3/"]
```

# Title

Lead.

## Why

Because.

## Fix

1. Do it.

## Verify

```powershell
python -V
```

## Avoid

Nothing.
"""
KNOWLEDGE = index_entries([parse_entry("demo", ENTRY)])
HEADER = "Traceback (most recent call last):\n"
BEFORE = '  File "C:\\py\\spawn.py", line 2, in prepare\n    _fixup_main_from_path(data)\n'
START = '  File "C:\\py\\loader.py", line 9, in __init__\n    w.start()\n'


def find_confidences(text: str) -> list[Confidence]:
    return [diagnosis.confidence for diagnosis in explain(text, KNOWLEDGE).diagnoses]


def test_symptom_counts_below_the_text() -> None:
    assert find_confidences(HEADER + BEFORE + START) == [Confidence.LIKELY]


def test_symptom_does_not_count_above_the_text() -> None:
    assert find_confidences(HEADER + START + BEFORE) == []


def test_symptom_does_not_count_in_another_traceback() -> None:
    assert find_confidences(HEADER + BEFORE + "ValueError: x\n" + HEADER + START) == []


def test_symptom_counts_if_a_later_occurrence_is_below_the_text() -> None:
    assert find_confidences(HEADER + START + "ValueError: x\n" + HEADER + BEFORE + START) == [
        Confidence.LIKELY
    ]
