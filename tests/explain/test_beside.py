"""A symptom with `beside` counts only where that pattern matches anywhere in the text."""

import pytest

from torchdoctor.explain import Confidence, explain
from torchdoctor.knowledge import EntryError, index_entries, parse_entry

ENTRY = """```toml
family = "gpu"
severity = "error"
symptoms = [{ text = "green", beside = 'GTX ?16[56]0', weight = 0.7 }]
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


@pytest.mark.parametrize(
    ("text", "confidences"),
    [
        ("Images come out green.\n\n\n\nI have a gtx 1660", [Confidence.LIKELY]),
        ("My GTX1650 is slow.\n\nImages come out green.", [Confidence.LIKELY]),
        ("Images come out green.\n\nI have a GTX 1080", []),
        ("I have a GTX 1660", []),
    ],
)
def test_symptom_counts_beside_the_pattern(text: str, confidences: list[Confidence]) -> None:
    assert [diagnosis.confidence for diagnosis in explain(text, KNOWLEDGE).diagnoses] == confidences


def test_other_keys_are_refused() -> None:
    with pytest.raises(EntryError, match="beside"):
        parse_entry("demo", ENTRY.replace("beside", "near"))
