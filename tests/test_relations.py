"""Findings that the step for another one mends come after it, and say so."""

from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.check import Finding
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.engine.runner import Outcome
from torchdoctor.report import Report

MACHINES = Path(__file__).parent / "samples" / "machines"
BUILD = {"torch_release": "2.6.0", "build_index": "cpu"}


def examine(name: str) -> Report:
    [file] = MACHINES.glob(f"{name}-*.json")
    return scan(ScanRequest(facts_file=file))


def relate(report: Report) -> list[tuple[str, str]]:
    """Return each check with findings, in the order of the report, and the relation of its first one."""
    relations: dict[str, str] = {}
    for outcome, finding in report.findings():
        relations.setdefault(outcome.name, report.describe_relation(outcome.name, finding))
    return list(relations.items())


@pytest.mark.parametrize(
    ("machine", "relations"),
    [
        ("35", [("cpu-only-build", ""), ("torchvision-mismatch", "mended with cpu-only-build")]),
        ("36", [("unsupported-gpu-arch", ""), ("numpy-abi-mismatch", "mended with unsupported-gpu-arch")]),
        (
            "37",
            [
                ("cpu-only-build", ""),
                ("known-broken-torch-release", "mended with cpu-only-build"),
                ("torch-import-failed", "a consequence of known-broken-torch-release"),
            ],
        ),
        (
            "39",
            [
                ("cpu-only-build", ""),
                ("torchvision-mismatch", "mended with cpu-only-build"),
                ("package-for-other-torch", ""),
            ],
        ),
        (
            "38",
            [
                ("unsupported-gpu-arch", ""),
                ("broken-torch-install", "mended with unsupported-gpu-arch"),
                ("dll-missing-dependency", "mended with unsupported-gpu-arch"),
                ("torch-import-failed", "a consequence of broken-torch-install, dll-missing-dependency"),
            ],
        ),
    ],
    ids=["cpu-build", "numpy", "broken-release", "uv", "missing-file"],
)
def test_step_that_replaces_torch_comes_first(machine: str, relations: list[tuple[str, str]]) -> None:
    assert relate(examine(machine)) == relations


def _relate(*findings: tuple[str, Finding]) -> list[tuple[str, str]]:
    report = examine("01")
    outcomes = tuple(
        Outcome(name, "failed", report.knowledge.entries[name].severity, findings=(finding,))
        for name, finding in findings
    )
    return relate(replace(report, outcomes=outcomes))


def test_of_two_that_mend_each_other_the_first_stays() -> None:
    restored = (
        Finding("cut", evidence=BUILD, step="restore"),
        Finding("mixed", evidence=BUILD, step="restore"),
    )
    assert _relate(("dll-procedure-not-found", restored[1]), ("broken-torch-install", restored[0])) == [
        ("broken-torch-install", ""),
        ("dll-procedure-not-found", "mended with broken-torch-install"),
    ]


@pytest.mark.parametrize(
    ("torch", "relation"),
    [("torch==2.1.2", ""), ("torch==2.4.1", "mended with unsupported-gpu-arch")],
    ids=["too-old", "new-enough"],
)
def test_release_that_a_step_installs_counts(torch: str, relation: str) -> None:
    evidence = {
        "machine_set": f"{torch} torchvision==0.19.1 --index-url https://download.pytorch.org/whl/cu118"
    }
    relations = dict(
        _relate(
            ("unsupported-gpu-arch", Finding("no code", evidence=evidence, step="same-now")),
            ("numpy-abi-mismatch", Finding("NumPy 2", step="older")),
        )
    )
    assert relations["numpy-abi-mismatch"] == relation


def test_step_that_leaves_torch_mends_nothing() -> None:
    relations = dict(
        _relate(
            ("unsupported-gpu-arch", Finding("no code", step="leave")),
            ("broken-torch-install", Finding("cut", evidence=BUILD, step="restore")),
        )
    )
    assert relations["broken-torch-install"] == ""
