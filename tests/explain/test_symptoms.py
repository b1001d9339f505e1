"""A symptom counts only below its `after` in the same traceback, beside its `beside`, without its `without`."""

import pytest

from torchdoctor.explain import Confidence, explain
from torchdoctor.knowledge import EntryError, index_entries, parse_entry

ENTRY = r"""```toml
family = "source"
severity = "error"
symptoms = [
  { text = "w.start()", after = "_Fixup_Main_", weight = 0.9 },
  { text = "green", beside = 'GTX ?16[56]0', weight = 0.7 },
  { text = "wants", pattern = 'wants (?P<build>cu\d+)', without = '/whl/{build}\b', weight = 0.7 },
  { text = "purple", without = 'on purpose', weight = 0.7 },
]
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


@pytest.mark.parametrize(
    ("text", "confidences"),
    [
        ("Images come out green.\n\n\n\nI have a gtx 1660", [Confidence.LIKELY]),
        ("My GTX1650 is slow.\n\nImages come out green.", [Confidence.LIKELY]),
        ("Images come out green.\n\nI have a GTX 1080", []),
        ("I have a GTX 1660", []),
        ("It wants cu118.\n\n/whl/cu121", [Confidence.LIKELY]),
        ("It wants cu118.\n\n/whl/cu118", []),
        ("All is purple.", [Confidence.LIKELY]),
        ("All is purple.\n\nIt is on purpose.", []),
    ],
)
def test_symptom_counts_beside_the_pattern_and_without_another(
    text: str, confidences: list[Confidence]
) -> None:
    assert find_confidences(text) == confidences


def test_other_keys_are_refused() -> None:
    with pytest.raises(EntryError, match="beside"):
        parse_entry("demo", ENTRY.replace("beside", "near"))
