"""The plan has each command once, causes before consequences, and nothing that needs a person's answer."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.check import Finding, Severity
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import CondaEnvironment, CondaPackage, Facts
from torchdoctor.knowledge.commands import PipCommand, RenameCommand, VariableCommand
from torchdoctor.renderers.repair import render_list, render_plan, render_step_result
from torchdoctor.renderers.terminal import render
from torchdoctor.repair.journal import RepairRecord
from torchdoctor.repair.plan import leave_to_person, list_findings, make_plan
from torchdoctor.repair.results import StepResult
from torchdoctor.report import Report

SAMPLES = Path(__file__).parents[1] / "samples"


def examine(name: str) -> Report:
    return scan(ScanRequest(facts_file=SAMPLES / f"{name}.json"))


def find_on(report: Report, *findings: tuple[str, Finding]) -> Report:
    """Return the report with findings of these checks in place of its own."""
    outcomes = tuple(
        Outcome(name, "failed", report.knowledge.entries[name].severity, findings=(finding,))
        for name, finding in findings
    )
    return replace(report, outcomes=outcomes)


@pytest.fixture
def report() -> Report:
    return examine("broken_torch_install/bad-dll-cut-short")


BUILD = {"torch_release": "2.6.0", "build_index": "cpu"}


def test_same_command_is_run_once(report: Report) -> None:
    names = ("broken-torch-install", "dll-procedure-not-found")
    step = {"broken-torch-install": "restore", "dll-procedure-not-found": "restore"}
    findings = [(name, Finding(f"seen by {name}", evidence=BUILD, step=step[name])) for name in names]
    plan = make_plan(find_on(report, *findings))
    [planned] = plan.steps
    assert planned.messages == ("seen by broken-torch-install", "seen by dll-procedure-not-found")
    assert isinstance(planned.commands[0], PipCommand) and planned.commands[0].wanted["torch"].startswith(
        "=="
    )


def test_release_that_another_step_replaces_is_not_restored(report: Report) -> None:
    build = BUILD | {"torch_release": "2.4.0"}
    evidence = {"release_set": "torch==2.4.1", **BUILD}
    plan = make_plan(
        find_on(
            report,
            ("broken-torch-install", Finding("cut short", evidence=build, step="restore")),
            ("known-broken-torch-release", Finding("2.4.0", evidence=evidence)),
        )
    )
    assert [step.findings for step in plan.steps] == [
        (("known-broken-torch-release", "2.4.0"), ("broken-torch-install", "cut short"))
    ]


def test_second_release_of_a_package_is_left(report: Report) -> None:
    name = "torch-requirement-unmet"
    missing, old = {"requirements": '"mpmath<1.4"'}, {"requirement": "mpmath>=1.3"}
    plan = make_plan(
        find_on(
            report,
            (name, Finding("missing", evidence=missing, step="missing")),
            (name, Finding("old", evidence=old, step="upgrade")),
        )
    )
    assert [step.messages for step in plan.steps] == [("missing",)]
    assert [step.reason for step in plan.manual] == [
        "the step for torch-requirement-unmet changes mpmath in another way"
    ]


def test_variables_come_first(report: Report) -> None:
    variable = Finding(
        "is set", evidence={"variable": "KMP_DUPLICATE_LIB_OK"}, step="permanent", severity=Severity.NOTE
    )
    plan = make_plan(
        find_on(
            report,
            ("broken-torch-install", Finding("cut short", evidence=BUILD, step="restore")),
            ("hurtful-environment-variables", variable),
        )
    )
    assert plan.steps[0].commands[0] == VariableCommand("KMP_DUPLICATE_LIB_OK", None)
    left = leave_to_person(plan, lambda step: "not here" if step.subject == "variables" else None)
    assert [step.name for step in left.steps] == ["broken-torch-install"]
    assert [step.reason for step in left.manual] == ["not here"]


def test_consequence_gets_no_step(report: Report) -> None:
    plan = make_plan(
        find_on(
            report,
            ("torch-import-failed", Finding("raises", evidence={"lacking": "sympy"}, step="lacking")),
            ("broken-torch-install", Finding("cut short", evidence=BUILD, step="restore")),
        )
    )
    assert [step.name for step in plan.steps] == ["broken-torch-install"] and plan.manual == ()


def test_step_that_needs_an_answer_is_not_run(report: Report) -> None:
    facts = Facts()
    unknown = replace(find_on(report, ("broken-torch-install", Finding("gone", step="restore"))), facts=facts)
    plan = make_plan(unknown)
    assert plan.steps == () and "needs your answer" in plan.manual[0].reason


@pytest.mark.parametrize("value", ["numpy; shutdown", "numpy && calc", "$(calc)", "numpy\ncalc"])
def test_value_that_a_shell_could_run_is_not_used(report: Report, value: str) -> None:
    finding = Finding("missing", evidence={"lacking": value}, step="lacking")
    plan = make_plan(find_on(report, ("torch-import-failed", finding)))
    assert plan.steps == ()


def test_package_of_conda_is_left_to_conda(report: Report) -> None:
    conda = CondaEnvironment("C:\\conda\\envs\\t", (CondaPackage("pytorch", "2.6.0", "py312_cpu"),))
    facts = report.facts.with_values({CondaEnvironment: conda})
    broken = find_on(report, ("broken-torch-install", Finding("cut short", evidence=BUILD, step="restore")))
    plan = make_plan(replace(broken, facts=facts))
    assert plan.steps == () and "conda installed torch here" in plan.manual[0].reason


def test_file_is_moved_once(report: Report) -> None:
    evidence = {"path": "C:\\p\\torch.py", "shadow": "torch.py", "module": "torch"}
    first, second = (
        Finding("hides", evidence=evidence, step="rename"),
        Finding("hides too", evidence=evidence, step="rename"),
    )
    plan = make_plan(
        find_on(report, ("shadowed-or-partial-torch", first), ("shadowed-or-partial-torch", second))
    )
    [step] = plan.steps
    assert step.commands == (RenameCommand("C:\\p\\torch.py", "my_torch.py"),) and len(step.findings) == 2


def test_packages_come_from_the_folder(report: Report) -> None:
    found = find_on(report, ("broken-torch-install", Finding("cut short", evidence=BUILD, step="restore")))
    [step] = make_plan(found, "D:\\wheels").steps
    assert "--index-url" not in step.commands[0].arguments and "D:\\wheels" in step.commands[0].arguments


def test_findings_in_code_are_not_those_of_the_environment(report: Report) -> None:
    assert len(list_findings(report)) == len(report.findings())


def test_nothing_is_planned_for_good_samples() -> None:
    """Of the steps that are run, none is for a machine on which the check of its finding passes."""
    for file in sorted(SAMPLES.glob("*/good-*.json")):
        name = file.parent.name.replace("_", "-")
        report = examine(f"{file.parent.name}/{file.stem}")
        assert name not in {step.name for step in make_plan(report).steps}, file


def test_texts(report: Report) -> None:
    found = find_on(report, ("broken-torch-install", Finding("cut short", evidence=BUILD, step="restore")))
    plan = make_plan(found)
    text = render_plan(plan, "C:\\Python\\python.exe")
    assert (
        "Seen: cut short" in text and "> C:\\Python\\python.exe -m pip install" in text and "--undo" in text
    )
    failed = StepResult(1, plan.steps[0], "failed", reason="pip ended with 1: no space", is_undone=True)
    assert "Failed. Pip ended with 1: no space." in render_step_result(failed)
    worse = StepResult(1, plan.steps[0], "worse", new=("torch is gone",), is_undone=True)
    assert "Found now: torch is gone. The step was taken back." in " ".join(render_step_result(worse).split())
    record = RepairRecord("20260101-000000-ab", "2026-01-01T00:00:00", "python", ("x",), True, False)
    assert "cut off" in render_list([record], "folder")


def test_scan_says_that_repair_does_it(tmp_path: Path) -> None:
    data = json.loads(
        (SAMPLES / "broken_torch_install" / "bad-dll-cut-short.json").read_text(encoding="utf-8")
    )
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    report = scan(ScanRequest(facts_file=file))
    # Facts of a file are those of another machine.
    assert "torchdoctor repair" not in render(report)
    assert "torchdoctor repair" in render(replace(report, facts_file=None))
