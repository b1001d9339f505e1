"""Every check says what its samples expect: status, findings with their steps and values, and what passed."""

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdoctor.check import Finding
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, run_check
from torchdoctor.facts import occurs_many_times
from torchdoctor.facts.codec import decode_facts, encode_facts
from torchdoctor.probes.machine import is_recorded

SAMPLES = Path(__file__).parents[1] / "samples"
FILES = sorted(file for file in SAMPLES.glob("*/*.json") if file.parent.name != "machines")
REGISTRY = load_registry()
CHECKS = {check.name: check for check in REGISTRY.checks}
FOLDERS = sorted(
    folder for folder in SAMPLES.iterdir() if folder.name not in ("machines", "explain", "readers", "trials")
)


def _run_check_on(file: Path):
    data = json.loads(file.read_text(encoding="utf-8"))
    name = file.parent.name.replace("_", "-")
    if name not in CHECKS:
        pytest.fail(f"there is no check {name}; {[broken.reason for broken in REGISTRY.broken]}")
    return data, run_check(CHECKS[name], decode_facts(data), REGISTRY.knowledge.entries[name])


def _find_unknown(data: object, known: object, path: str = "") -> Iterator[str]:
    """Yield the paths of the keys in `data` that `known` lacks."""
    if isinstance(data, dict) and isinstance(known, dict):
        for key, value in data.items():
            if key in known:
                yield from _find_unknown(value, known[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}"
    elif isinstance(data, list) and isinstance(known, list):
        for item, known_item in zip(data, known, strict=True):
            yield from _find_unknown(item, known_item, path)


def _describe_finding(finding: Finding) -> dict[str, object]:
    """Return what a finding says in the form of a sample; what it does not have is left out."""
    assert finding.severity is not None
    description = {
        "message": finding.message,
        "severity": finding.severity.value,
        "step": finding.step,
        "evidence": json.loads(json.dumps(finding.evidence)),
        "bound": finding.bound and dataclasses.asdict(finding.bound),
        "explains": list(finding.explains),
    }
    return {key: value for key, value in description.items() if value not in (None, {}, [])}


def _describe_outcome(outcome: Outcome) -> dict[str, object]:
    """Return all that a check said in the form of a sample; what it did not say is left out."""
    description = {
        "status": outcome.status,
        "reason": outcome.reason,
        "passed": list(outcome.passed),
        "findings": [_describe_finding(finding) for finding in outcome.findings],
    }
    return {key: value for key, value in description.items() if key == "findings" or value not in (None, [])}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_gives_the_expected_outcome(file: Path) -> None:
    data, outcome = _run_check_on(file)
    expected = {key: value for key, value in data.items() if key not in ("schema_version", "facts")}
    assert _describe_outcome(outcome) == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_has_only_known_subjects_and_fields(file: Path) -> None:
    data = json.loads(file.read_text(encoding="utf-8"))
    known = encode_facts(decode_facts(data))
    assert list(_find_unknown(data["facts"], known)) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_has_only_variables_that_the_probe_records(file: Path) -> None:
    facts = json.loads(file.read_text(encoding="utf-8"))["facts"]
    variables = facts.get("environment_variables", {}).get("variables", ())
    assert [name for name, _ in variables if not is_recorded(name)] == [], "see probes/machine.py"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_finding_names_a_step_of_its_entry(file: Path) -> None:
    _, outcome = _run_check_on(file)
    steps = REGISTRY.knowledge.entries[outcome.name].body.steps
    tags = [step.tag for step in steps]
    assert [item.step for item in outcome.findings if item.step not in (None, *tags)] == [], tags


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_absent_value_is_not_printed_as_python_prints_it(file: Path) -> None:
    _, outcome = _run_check_on(file)
    assert "Absent(" not in json.dumps(_describe_outcome(outcome))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_folder_of_samples_is_named_after_a_check(folder: Path) -> None:
    assert folder.name.replace("_", "-") in REGISTRY.knowledge.entries
    assert [
        file.name for file in folder.iterdir() if not re.fullmatch(r"(bad|good)-.+|findings\.txt", file.name)
    ] == []


@pytest.mark.parametrize(
    "name", [name for name, check in CHECKS.items() if not any(map(occurs_many_times, check.facts))]
)
def test_check_has_bad_and_good_samples(name: str) -> None:
    folder = SAMPLES / name.replace("-", "_")
    kinds = {file.stem.partition("-")[0] for file in folder.glob("*.json")}
    assert kinds == {"bad", "good"}
