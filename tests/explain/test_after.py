"""A symptom that asks for something earlier in the same traceback."""

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


def diagnose(text: str) -> list[Confidence]:
    return [one.confidence for one in explain(text, KNOWLEDGE).diagnoses]


def test_counts_after_the_literal() -> None:
    assert diagnose(HEADER + BEFORE + START) == [Confidence.LIKELY]


def test_does_not_count_before_the_literal() -> None:
    assert diagnose(HEADER + START + BEFORE) == []


def test_does_not_count_in_another_traceback() -> None:
    assert diagnose(HEADER + BEFORE + "ValueError: x\n" + HEADER + START) == []


def test_finds_a_later_occurrence() -> None:
    assert diagnose(HEADER + START + "ValueError: x\n" + HEADER + BEFORE + START) == [Confidence.LIKELY]
