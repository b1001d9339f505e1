"""Numbers that a text has cut off, or writes as nobody expects, stop no explanation."""

import itertools
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from torchdoctor import read_environment
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge

SAMPLES = Path(__file__).parents[1] / "samples" / "explain" / "variants.jsonl"
DECIMAL, WHOLE = re.compile(r"(\d+)\.(\d+)"), re.compile(r"(\d+)")
CUT_DECIMALS = (
    "{0}.{1}...",
    "{0}.",
    ".{1}",
    "{0}..{1}",
    "..",
    "{0}.{1}.{1}.",
    "{0},{1},",
    "-{0}.{1}",
    "{0}.{1}e999",
)
CUT_WHOLES = ("{0}.", "{0}²", "٣{0}", "{0}" * 9, "-{0}", "0x{0}", "{0}_")


def write_otherwise(text: str, number: re.Pattern[str], forms: Sequence[str], start: int) -> str:
    turns = itertools.cycle(forms[start % len(forms) :] + forms[: start % len(forms)])
    return number.sub(lambda match: next(turns).format(*match.groups()), text)


@pytest.mark.parametrize(
    "text",
    [
        "CUDA out of memory. Tried to allocate 2.00...",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00..GiB (GPU 0; 8.00 GiB total capacity)",
        "HIP out of memory. Tried to allocate ..2 GiB",
        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.. GiB total capacity; 7.1. GiB already allocated)",
        "numpy.core._exceptions.MemoryError: Unable to allocate 926... GiB for an array",
    ],
)
def test_size_that_is_cut_off_stops_nothing(text: str, knowledge: Knowledge) -> None:
    explanation = explain(text, knowledge)
    assert explanation.diagnoses
    assert ".." not in explanation.diagnoses[0].lead


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "forms"), [(DECIMAL, CUT_DECIMALS), (WHOLE, CUT_WHOLES)])
def test_no_number_of_a_sample_stops_its_explanation(
    number: re.Pattern[str], forms: Sequence[str], knowledge: Knowledge
) -> None:
    lines = SAMPLES.read_text(encoding="utf-8").splitlines()
    changed = 0
    for start, line in enumerate(lines):
        text = json.loads(line)["text"]
        otherwise = write_otherwise(text, number, forms, start)
        changed += otherwise != text
        assert len(explain(otherwise, knowledge).diagnoses) <= 3, otherwise
        read_environment(otherwise)
    assert changed > 400
