"""The table of names of torch is that of the entry on missing ones."""

import re

import pytest

from torchdoctor.core.bundled import read_bundled
from torchdoctor.domain.torch_names import find_first_torch
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge

LINES = read_bundled("torchdoctor.domain", "torch_names.csv").decode("utf-8").splitlines()[1:]
NAMES = [line.partition(",")[0] for line in LINES]


def test_rows_are_sorted_names_with_a_minor_release() -> None:
    assert all(re.fullmatch(r"torch(?:\.\w{1,40}){1,4},[12]\.\d{1,2}", line) for line in LINES)
    assert sorted(set(NAMES)) == NAMES


@pytest.mark.parametrize(
    ("name", "release"),
    [
        ("torch.library", "1.12"),
        ("torch.library.custom_op", "2.4"),
        ("torch.nn.RMSNorm", "2.4"),
        ("torch.x", ""),
    ],
)
def test_finds_the_first_release(name: str, release: str) -> None:
    assert find_first_torch(name) == release


def test_the_entry_asks_for_the_names_of_the_table(knowledge: Knowledge) -> None:
    patterns = [str(symptom.pattern) for symptom in knowledge.entries["torch-api-changed"].symptoms]
    groups = (re.search(r"<attribute>([^()]+)\)", each) for each in patterns)
    asked = {name for found in groups if found for name in found[1].split("|")}
    last_parts = {name.rpartition(".")[2] for name in NAMES if "._" not in name.rpartition(".")[2]}
    assert asked >= {part for part in last_parts if not part.startswith("_")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AttributeError: module 'torch' has no attribute 'library", "from torch 1.12 on"),
        ("AttributeError: module 'torch.fft' has no attribute 'fftshift'", "from torch 1.8 on"),
        ("torch 2.5.1\nAttributeError: module 'torch' has no attribute 'isin'", "runs another torch"),
    ],
)
def test_an_answer_says_in_which_torch_a_name_came(text: str, said: str, knowledge: Knowledge) -> None:
    first = explain(text, knowledge).diagnoses[0]
    assert (first.name, said in first.lead + first.title) == ("torch-api-changed", True)
