"""Machines of a fleet: facts files that differ where a test says so."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[1] / "samples"
SICK = SAMPLES / "vc_redist_outdated" / "bad-2.9-with-14.36.json"


def make_facts(
    torch: str = "2.8.0+cu128",
    cuda: str | None = "12.8",
    numpy: str | None = "2.1.0",
    driver: str = "572.16",
    commit_gib: float = 64,
    version: str = "0.1.0",
) -> dict[str, Any]:
    """Return the facts of a machine that is well, besides what differs."""
    installed = [{"name": "torch", "version": torch, "folder": "C:\\p"}]
    if numpy is not None:
        installed.append({"name": "numpy", "version": numpy, "folder": "C:\\p"})
    commit = int(commit_gib * 2**30)
    return {
        "schema_version": 1,
        "torchdoctor": version,
        "taken_at": "2026-01-02T03:04:05+00:00",
        "facts": {
            "operating_system": {"system": "windows", "version": "11 (10.0.22631)", "machine": "x64"},
            "memory": {
                "physical_bytes": 32 * 2**30,
                "physical_available_bytes": 20 * 2**30,
                "commit_limit_bytes": commit,
                "commit_total_bytes": 8 * 2**30,
                "commit_peak_bytes": 9 * 2**30,
                "process_commit_available_bytes": commit - 8 * 2**30,
                "page_files": [],
            },
            "distributions": {"installed": installed},
            "torch_install": {
                "version": torch,
                "package_folder": "C:\\p\\torch",
                "library_folder": "C:\\p\\torch\\lib",
                "cuda": cuda,
            },
            "nvidia_driver": {
                "state": "working",
                "version": driver,
                "cuda": "12.8",
                "gpus": [
                    {"name": "NVIDIA GeForce RTX 4090", "compute_capability": [8, 9], "memory_bytes": 2**34}
                ],
            },
        },
    }


@pytest.fixture
def room(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes the facts of machines, by name, into a folder, and returns that."""
    folder = tmp_path / "room"
    folder.mkdir()

    def write(**machines: dict[str, Any] | str) -> Path:
        for name, facts in machines.items():
            text = facts if isinstance(facts, str) else json.dumps(facts)
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
        return folder

    return write
