"""Every check gives the status and the findings that its samples expect."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_check
from torchdoctor.facts import occurs_many_times
from torchdoctor.facts.codec import decode_facts, encode_facts
from torchdoctor.probes.machine import is_recorded

SAMPLES = Path(__file__).parents[1] / "samples"
FILES = sorted(file for file in SAMPLES.glob("*/*.json") if file.parent.name != "machines")
REGISTRY = load_registry()
CHECKS = {check.name: check for check in REGISTRY.checks}
FOLDERS = sorted(folder for folder in SAMPLES.iterdir() if folder.name not in ("machines", "explain"))


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


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_gives_the_expected_findings(file: Path) -> None:
    data, outcome = _run_check_on(file)
    expected = [(item["message"], item["severity"]) for item in data["findings"]]
    found = [(finding.message, finding.severity.value) for finding in outcome.findings]
    assert found == expected, outcome.reason
    # A sample says which step its finding gives where that is what it is for.
    steps = [
        (item["step"], finding.step)
        for item, finding in zip(data["findings"], outcome.findings, strict=True)
        if "step" in item
    ]
    assert all(expected_step == step for expected_step, step in steps), steps


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_gives_the_expected_status(file: Path) -> None:
    data, outcome = _run_check_on(file)
    assert outcome.status == data["status"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sample_has_only_known_subjects_and_fields(file: Path) -> None:
    data = json.loads(file.read_text(encoding="utf-8"))
    known = {"schema_version": 1, "status": "", "findings": data["findings"]}
    known["facts"] = encode_facts(decode_facts(data))
    assert list(_find_unknown(data, known)) == []


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


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_folder_of_samples_is_named_after_a_check(folder: Path) -> None:
    assert folder.name.replace("_", "-") in REGISTRY.knowledge.entries
    assert [file.name for file in folder.iterdir() if not re.fullmatch(r"(bad|good)-.+", file.name)] == []


@pytest.mark.parametrize(
    "name", [name for name, check in CHECKS.items() if not any(map(occurs_many_times, check.facts))]
)
def test_check_has_bad_and_good_samples(name: str) -> None:
    folder = SAMPLES / name.replace("-", "_")
    kinds = {file.stem.partition("-")[0] for file in folder.glob("*.json")}
    assert kinds == {"bad", "good"}
