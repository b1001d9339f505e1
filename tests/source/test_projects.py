"""Small projects, each written after a known one, and exactly what is to be found in them."""

from pathlib import Path

import pytest

from torchdoctor.check import Finding
from torchdoctor.facts import ConfigFile, SourceFile
from torchdoctor.registry import load_registry
from torchdoctor.source import read_sources

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
def test_finds_exactly_what_is_wrong(project: str) -> None:
    sources = read_sources([PROJECTS / project])
    facts = {SourceFile: sources.files, ConfigFile: sources.configurations}
    found = {
        (Path(result.location.path).name, result.location.line, check.name)
        for check in load_registry().checks
        for fact in facts.get(check.facts[0] if check.facts else None, ())
        for result in check.function(fact)
        if isinstance(result, Finding) and result.location is not None
    }
    assert found == EXPECTED[project]
