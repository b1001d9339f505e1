"""Reports in SARIF, as GitHub annotations and on the terminal: locations, help and escapes."""

import json
import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.check import Finding, Location, Severity
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Facts
from torchdoctor.loader.plan import make_plan
from torchdoctor.renderers import github, sarif, terminal
from torchdoctor.report import Report

KNOWLEDGE = load_knowledge()[0]
FINDING = Finding(
    "50% done:\n[red]x, y[/red]\x1b[31m", Location("src\\a b.py", 3, 5, 4, 2), severity=Severity.WARNING
)


def _report(*findings: Finding, name: str = "missing-main-guard") -> Report:
    outcomes = (Outcome(name, "failed", Severity.ERROR, tuple(findings)),)
    return Report("1.0", "2026-01-01T00:00:00+00:00", Facts(), outcomes, KNOWLEDGE, make_plan(Facts()))


def test_sarif_has_location_level_and_help() -> None:
    run = json.loads(sarif.render(_report(FINDING)))["runs"][0]
    result, rule = run["results"][0], run["tool"]["driver"]["rules"][0]
    location = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], result["level"], location["artifactLocation"]["uri"]) == (
        "missing-main-guard",
        "warning",
        "src/a%20b.py",
    )
    assert location["region"] == {"startLine": 3, "startColumn": 5, "endLine": 4, "endColumn": 2}
    assert "## Fix" in rule["help"]["markdown"]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/train.py", "src/train.py"),
        ("träin.py", "tr%C3%A4in.py"),
        ("C:\\x\\a.py", "file:///C:/x/a.py"),
        ("/x/a.py", "file:///x/a.py"),
    ],
)
def test_sarif_writes_a_path_as_a_uri(path: str, uri: str) -> None:
    assert sarif.write_uri(path) == uri


def test_github_annotation_is_one_escaped_line() -> None:
    assert github.render(_report(FINDING)) == (
        "::warning title=torchdoctor%3A missing-main-guard,file=src/a b.py,line=3,col=5,endLine=4"
        "::50%25 done: [red]x, y[/red]\n"
    )


NOTEBOOK_FINDING = Finding(
    "a lambda", Location("notes\\a.ipynb", 4, 5, 4, 9, cell=3), severity=Severity.ERROR
)


def test_sarif_message_names_the_cell() -> None:
    result = json.loads(sarif.render(_report(NOTEBOOK_FINDING)))["runs"][0]["results"][0]
    location = result["locations"][0]["physicalLocation"]
    assert (location["artifactLocation"]["uri"], location["region"]["startLine"]) == ("notes/a.ipynb", 1)
    assert result["message"]["text"].startswith("cell 3, line 4: a lambda")


def test_github_annotates_the_notebook_file() -> None:
    assert github.render(_report(NOTEBOOK_FINDING)) == (
        "::error title=torchdoctor%3A missing-main-guard,file=notes/a.ipynb,line=1,col=1"
        "::cell 3, line 4: a lambda\n"
    )


def test_terminal_shows_no_control_sequence_of_a_finding() -> None:
    screen = terminal.render(_report(FINDING))
    assert "\x1b" not in screen
    assert "[red]x, y[/red]" in screen


def test_full_report_counts_findings_beyond_the_first_ones() -> None:
    report = _report(*[Finding(f"number {i}", severity=Severity.ERROR) for i in range(30)])
    assert "and 20 more of missing-main-guard" in terminal.render(report, verbose=True)


def test_brief_report_counts_further_findings_of_a_check() -> None:
    report = _report(*[Finding(f"number {i}", severity=Severity.ERROR) for i in range(30)])
    screen = terminal.render(report)
    assert (screen.count("error    number"), "(missing-main-guard, and 28 more)" in screen) == (1, True)


CAUSE_AND_CONSEQUENCE = (
    Outcome("torch-import-failed", "failed", Severity.ERROR, (Finding("raises", severity=Severity.ERROR),)),
    Outcome("vc-redist-missing", "failed", Severity.ERROR, (Finding("gone", severity=Severity.ERROR),)),
)


@pytest.mark.parametrize("verbose", [False, True], ids=["brief", "verbose"])
def test_terminal_shows_a_consequence_after_its_cause_and_without_advice(verbose: bool) -> None:
    report = Report("1", "t", Facts(), CAUSE_AND_CONSEQUENCE, KNOWLEDGE, make_plan(Facts()))
    screen = terminal.render(report, verbose=verbose)
    assert screen.startswith("ERROR  The Visual C++ runtime is missing\n    gone\n    Fix: ")
    assert (screen.count("Fix: "), "onsequence of vc-redist-missing" in screen) == (1, True)


def _scan(*outcomes: Outcome) -> str:
    return terminal.render(Report("1", "t", Facts(), outcomes, KNOWLEDGE, make_plan(Facts())))


def test_brief_report_with_a_second_cause_says_what_comes_after_the_fix() -> None:
    second = Outcome("long-path", "failed", Severity.ERROR, (Finding("long", severity=Severity.WARNING),))
    assert "Then run torchdoctor scan again" in _scan(*CAUSE_AND_CONSEQUENCE, second)


def test_brief_report_with_one_cause_needs_no_second_scan() -> None:
    assert "again" not in _scan(*CAUSE_AND_CONSEQUENCE)


def _explain(severity: Severity) -> Report:
    finding = Finding("it", severity=severity, explains=("long-path", "triton-missing"))
    cause = Outcome("hurtful-environment-variables", "failed", Severity.WARNING, (finding,))
    rest = [
        Outcome(name, "failed", Severity.WARNING, (Finding("x", severity=Severity.WARNING),))
        for name in ("long-path", "triton-missing")
    ]
    return Report("1", "t", Facts(), (*rest, cause), KNOWLEDGE, make_plan(Facts()))


@pytest.mark.parametrize(
    ("severity", "causes"),
    [(Severity.WARNING, ("hurtful-environment-variables",)), (Severity.NOTE, ())],
    ids=["as severe", "milder"],
)
def test_finding_names_checks_whose_findings_it_causes(severity: Severity, causes: tuple[str, ...]) -> None:
    assert [_explain(severity).causes_of(name) for name in ("long-path", "triton-missing")] == [causes] * 2


def test_cause_of_most_findings_comes_first() -> None:
    other = Outcome(
        "broken-torch-install", "failed", Severity.ERROR, (Finding("x", severity=Severity.ERROR),)
    )
    report = Report("1", "t", Facts(), (other, *CAUSE_AND_CONSEQUENCE), KNOWLEDGE, make_plan(Facts()))
    names = [outcome.name for outcome, _ in report.findings()]
    assert names == ["broken-torch-install", "vc-redist-missing", "torch-import-failed"]


def test_title_that_claims_more_than_a_milder_finding_is_not_shown() -> None:
    screen = terminal.render(
        _report(Finding("may be short", severity=Severity.NOTE), name="paging-file-too-small")
    )
    assert screen.startswith("Nothing wrong was found.\n\nNOTE  may be short\n    Fix: ")


SAMPLES = Path(__file__).parents[1] / "samples"


SICK_SAMPLES = sorted({*SAMPLES.glob("*/bad-*.json"), *SAMPLES.glob("machines/*.json")})


@pytest.mark.parametrize("file", SICK_SAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_brief_report_is_one_screen_with_the_verdict_first(file: Path, scan_sample) -> None:
    report = scan_sample(file)
    findings = report.findings()
    worst = report.worst()
    level = "Nothing wrong" if worst in (None, Severity.NOTE) else findings[0][1].severity.value.upper()
    for columns in (80, 120):
        screen = terminal.render(report, width=columns)
        assert screen.startswith(level)
        assert screen.count("\n") <= 30
        assert ("Fix: " in screen) == bool(findings)


def test_median_report_of_a_sick_machine_has_at_most_20_lines(scan_sample) -> None:
    reports = [scan_sample(file) for file in sorted(SAMPLES.glob("machines/*.json"))]
    lengths = [terminal.render(report).count("\n") for report in reports if report.findings()]
    assert statistics.median(lengths) <= 20


def test_consequences_without_room_are_called_so(scan_sample) -> None:
    screen = terminal.render(scan_sample(next(SAMPLES.glob("machines/30-*.json"))))
    assert "and 3 more, consequences of the above" in screen


def test_machine_without_torch_has_no_plan(scan_sample) -> None:
    report = scan_sample(next(SAMPLES.glob("machines/12-*.json")))
    assert "num_workers" not in terminal.render(report)


@pytest.mark.parametrize("by", ["probe", "check"])
def test_health_is_limited_to_what_could_be_examined(by: str) -> None:
    """A probe that hung is no sign of health."""
    broken = (Broken("cuda-trial", "it did not end within 60 s"),) if by == "probe" else ()
    outcome = Outcome("x", "passed" if by == "probe" else "errored", Severity.ERROR, reason="it raised")
    report = Report("1", "t", Facts(), (outcome,), KNOWLEDGE, make_plan(Facts()), broken=broken)
    assert terminal.render(report).startswith("Nothing wrong was found in what could be examined.\n")


@pytest.mark.parametrize(("notices", "text"), [
    ((), "Nothing wrong was found."),
    (("a.py: not read: x",), "Nothing wrong was found in what could be examined; 1 file could not be read to the end."),
    (("a: not read: x", "b: not read to the end, because"), "Nothing wrong was found in what could be examined; 2 files could not be read to the end."),
    (("there is no training code in a",), "Nothing wrong was found in what could be examined."),
])  # fmt: skip
def test_unread_files_are_counted_where_nothing_is_found(notices: tuple[str, ...], text: str) -> None:
    outcome = Outcome("x", "passed", Severity.ERROR)
    report = replace(_report(FINDING), outcomes=(outcome,), notices=notices)
    assert text in " ".join(terminal.render(report, width=200).split())
