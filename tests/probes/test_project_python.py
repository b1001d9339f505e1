"""What the choice of the interpreter depends on is observed: folders, torch, aliases of the Store."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from torchdoctor.probes.project_python import observe_surroundings

ROOT = Path(__file__).parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"
PYTHON = "python.exe" if os.name == "nt" else "python"


@pytest.mark.parametrize(
    ("marker", "count"), [(".git", 3), ("other", 1)], ids=["repository", "no-repository"]
)
def test_folders_end_at_the_root_of_the_repository(
    tmp_path: Path, monkeypatch, marker: str, count: int
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / marker).touch()
    monkeypatch.chdir(tmp_path / "a" / "b")
    folders = (tmp_path / "a" / "b", tmp_path / "a", tmp_path)
    assert observe_surroundings().folders == tuple(map(str, folders[:count]))


@pytest.mark.parametrize(
    ("names", "expected"), [((), False), (("PythonSoftwareFoundation.Python.3.12_x",), True)]
)
def test_alias_of_the_store_counts_only_with_a_python_behind_it(
    tmp_path: Path, names, expected: bool
) -> None:
    folder = tmp_path / "WindowsApps"
    for name in names:
        (folder / name).mkdir(parents=True)
    folder.mkdir(exist_ok=True)
    (folder / "python.exe").touch()
    assert observe_surroundings().is_file(str(folder / "python.exe")) is expected


@pytest.mark.parametrize(
    ("name", "expected"), [("torch", True), ("torch-2.9.0.dist-info", True), ("torchdoctor", False)]
)
def test_sees_torch_beside_the_doctor(tmp_path: Path, monkeypatch, name: str, expected: bool) -> None:
    packages = tmp_path / "site-packages"
    (packages / name).mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(packages)])
    assert observe_surroundings().has_torch is expected


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """Return the interpreter of an environment that looks like one of pipx."""
    venv.create(tmp_path / "tool", with_pip=False, symlinks=os.name != "nt")
    (tmp_path / "tool" / "pipx_metadata.json").write_text("{}")
    return tmp_path / "tool" / BIN / PYTHON


def examine(tool: Path, folder: Path) -> tuple[str, str]:
    """Return the interpreter that a tool examines in a folder, and why."""
    search_path = os.pathsep.join((str(ROOT), sysconfig.get_path("purelib")))
    env = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    command = [
        str(tool),
        "-m",
        "torchdoctor",
        "scan",
        "--no-trials",
        "--select",
        "python-32bit",
        "--format",
        "json",
        "--no-redact",
    ]
    result = subprocess.run(
        command,
        cwd=folder,
        env={**env, "PYTHONPATH": search_path, "PATH": str(tool.parent)},
        capture_output=True,
        text=True,
    )
    interpreter = json.loads(result.stdout)["facts"]["interpreter"]
    return interpreter["executable"], interpreter["chosen_because"]


def test_doctor_of_pipx_examines_the_environment_of_the_folder(tool: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "p" / ".venv", with_pip=False, symlinks=os.name != "nt")
    python = tmp_path / "p" / ".venv" / BIN / PYTHON
    assert examine(tool, tmp_path / "p") == (str(python), "the .venv of this folder")


def test_doctor_of_pipx_says_that_it_examines_itself(tool: Path, tmp_path: Path) -> None:
    reason = "torchdoctor's own environment, because no other Python was found"
    assert examine(tool, tmp_path) == (str(tool), reason)


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for a broken interpreter")
def test_error_says_why_the_interpreter_was_chosen(torchdoctor, tmp_path: Path) -> None:
    python = tmp_path / "v" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 5\n")
    python.chmod(0o755)
    result = torchdoctor("scan", env={"VIRTUAL_ENV": str(tmp_path / "v")})
    assert (result.returncode, "the activated virtual environment" in result.stderr) == (2, True), (
        result.stderr
    )
