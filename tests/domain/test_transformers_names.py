"""The table of names of transformers is that of the entry that asks for them."""

import csv
import re

import pytest

from torchdoctor.core.bundled import read_bundled
from torchdoctor.domain.transformers_names import find_name_releases
from torchdoctor.knowledge import Knowledge

ROWS = list(
    csv.DictReader(read_bundled("torchdoctor.domain", "transformers_names.csv").decode("utf-8").splitlines())
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_name_came_or_went(row: dict[str, str]) -> None:
    assert bool(row["came"]) != bool(row["gone"])
    assert re.fullmatch(r"[2-5]\.\d{1,2}", row["came"] or row["gone"])


def test_an_unknown_name_has_no_release() -> None:
    releases = find_name_releases("NoSuchName")
    assert (releases.came, releases.gone) == ("", "")


def test_the_entry_asks_for_the_names_of_the_table(knowledge: Knowledge) -> None:
    symptoms = knowledge.entries["hugging-face-releases"].symptoms
    patterns = (str(symptom.pattern) for symptom in symptoms)
    asked = [found[1].split("|") for each in patterns if (found := re.search(r"<hf_name>([\w|]+)\)", each))]
    assert sorted(name for names in asked for name in names) == sorted(row["name"] for row in ROWS)
