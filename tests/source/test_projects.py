"""Small projects, modelled on known ones, give exactly the expected findings."""

from pathlib import Path

import pytest

from torchdoctor.engine.code.examination import examine_code, reads_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

PROJECTS = Path(__file__).parents[1] / "projects"
EXPECTED = {
    "fastreid_like": {
        ("config.yml", 6, "workers-in-config"),
        ("data.py", 38, "background-loader-stream"),
        ("train.py", 17, "nccl-unavailable"),
        ("train.py", 15, "workers-in-config"),
    },
    "edgeface_like": {
        ("dataset.py", 16, "cuda-in-dataset"),
        ("dataset.py", 18, "unpicklable-dataset"),
        ("embed.py", 11, "missing-main-guard"),
    },
    "windows_faq": {
        ("no_guard.py", 12, "missing-main-guard"),
        ("cuda_ipc.py", 13, "cuda-ipc-unsupported"),
    },
}


@pytest.mark.parametrize("project", EXPECTED)
def test_project_has_exactly_the_expected_findings(project: str) -> None:
    registry = load_registry()
    checks = [check for check in registry.checks if reads_code(check)]
    found = {
        (Path(finding.location.path).name, finding.location.line, outcome.name)
        for outcome in examine_code([PROJECTS / project], checks, Facts(), registry.knowledge).outcomes
        for finding in outcome.findings
        if finding.location is not None
    }
    assert found == EXPECTED[project]
