"""Entries and diagnoses that tests of their texts share."""

import functools

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import Diagnosis, explain

KNOWLEDGE, _ = load_knowledge()


LOADING = 'OSError: [WinError {}] text. Error loading "C:\\v\\.venv\\Lib\\site-packages\\{}" or one of its dependencies.'


HEAD = r"""```toml
family = "dll"
cases = [
  { dll = ["c10.dll", "cudnn*.dll"], torch_version = ">=2.9", steps = ["late", "early"], says = "Newer." },
  { package = "not torch", steps = "early", says = "Of {package|another}." },
  { path = '*\\torch\\hub\\*', steps = "late", says = "Of a path." },
]
```
# T

Lead.

## Why
w

## Fix
1. <!-- early --> Early.
2. Any.
3. <!-- late --> Late.
"""


# Several tests are about the same texts.
@functools.cache
def diagnose(text: str) -> Diagnosis:
    return explain(text, KNOWLEDGE, on_screen=True).diagnoses[0]
