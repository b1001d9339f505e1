"""Every check gives the status and the findings that its samples expect."""

import json
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_check
from torchdoctor.facts import occurs_many_times
from torchdoctor.facts.codec import decode_facts

SAMPLES = Path(__file__).parents[1] / "samples"
FILES = sorted(file for file in SAMPLES.glob("*/*.json") if file.parent.name != "machines")
REGISTRY = load_registry()
CHECKS = {check.name: check for check in REGISTRY.checks}


def _run_check_on(file: Path):
    data = json.loads(file.read_text(encoding="utf-8"))
    name = file.parent.name.replace("_", "-")
    return data, run_check(CHECKS[name], decode_facts(data), REGISTRY.knowledge.entries[name])


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_gives_the_expected_findings(file: Path) -> None:
    data, outcome = _run_check_on(file)
    expected = [(item["message"], item["severity"]) for item in data["findings"]]
    found = [(finding.message, finding.severity.value) for finding in outcome.findings]
    assert found == expected, outcome.reason


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_gives_the_expected_status(file: Path) -> None:
    data, outcome = _run_check_on(file)
    assert outcome.status == data["status"]


@pytest.mark.parametrize(
    "name", [name for name, check in CHECKS.items() if not any(map(occurs_many_times, check.facts))]
)
def test_check_has_bad_and_good_samples(name: str) -> None:
    folder = SAMPLES / name.replace("-", "_")
    kinds = {file.stem.partition("-")[0] for file in folder.glob("*.json")}
    assert kinds == {"bad", "good"}
