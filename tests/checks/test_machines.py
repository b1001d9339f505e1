"""All checks on the facts of whole machines, modelled on real reports."""

import json
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts.codec import decode_facts

MACHINES = sorted((Path(__file__).parents[1] / "samples" / "machines").glob("*.json"))
REGISTRY = load_registry()


def _run_all_checks(file: Path):
    data = json.loads(file.read_text(encoding="utf-8"))
    return data, run_checks(REGISTRY.checks, decode_facts(data), REGISTRY.knowledge)


@pytest.mark.parametrize("file", MACHINES, ids=lambda file: file.stem)
def test_machine_has_exactly_the_expected_findings(file: Path) -> None:
    data, outcomes = _run_all_checks(file)
    expected = sorted((item["name"], item["severity"]) for item in data["findings"])
    found = sorted((outcome.name, item.severity.value) for outcome in outcomes for item in outcome.findings)
    assert found == expected, data["story"]


@pytest.mark.parametrize("file", MACHINES, ids=lambda file: file.stem)
def test_no_check_raises_on_a_machine(file: Path) -> None:
    assert [outcome.reason for outcome in _run_all_checks(file)[1] if outcome.status == "errored"] == []


def test_there_are_enough_machines() -> None:
    assert len(MACHINES) >= 25
