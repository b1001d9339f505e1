"""Whole machines after real reports: the registry finds on each what is wrong there, and nothing else."""

import json
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts.codec import decode_facts

MACHINES = sorted((Path(__file__).parents[1] / "samples" / "machines").glob("*.json"))
REGISTRY = load_registry()


def _run(file: Path):
    data = json.loads(file.read_text(encoding="utf-8"))
    return data, run_checks(REGISTRY.checks, decode_facts(data), REGISTRY.knowledge)


@pytest.mark.parametrize("file", MACHINES, ids=lambda file: file.stem)
def test_machine_has_its_findings_and_no_other(file: Path) -> None:
    data, outcomes = _run(file)
    wanted = sorted((item["name"], item["severity"]) for item in data["findings"])
    given = sorted((outcome.name, item.severity.value) for outcome in outcomes for item in outcome.findings)
    assert given == wanted, data["story"]


@pytest.mark.parametrize("file", MACHINES, ids=lambda file: file.stem)
def test_no_check_fails_on_a_machine(file: Path) -> None:
    assert [outcome.reason for outcome in _run(file)[1] if outcome.status == "errored"] == []


def test_there_are_machines_enough() -> None:
    assert len(MACHINES) >= 25
