"""Small projects, modelled on known ones, give exactly the expected findings."""

from pathlib import Path

import pytest

from torchdoctor.check import Finding
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.sources import add_sources
from torchdoctor.facts import Facts
from torchdoctor.source import ConfigFile, SourceFile

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
    checks = [check for check in load_registry().checks if {SourceFile, ConfigFile} & set(check.facts)]
    facts, _ = add_sources(Facts(), [PROJECTS / project], checks)
    found = {
        (Path(finding.location.path).name, finding.location.line, check.name)
        for check in checks
        for fact in facts.all(check.facts[0])
        for finding in check.function(fact)
        if isinstance(finding, Finding) and finding.location is not None
    }
    assert found == EXPECTED[project]
