"""The wheel holds what the tree holds, nothing at the top level, and runs from a zip."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from torchdoctor import __version__

ROOT = Path(__file__).parents[1]


def _members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def _tree() -> set[str]:
    mapping = {
        "torchdoctor": "torchdoctor",
        "checks": "torchdoctor/checks",
        "knowledge_base": "torchdoctor/knowledge_base",
    }
    return {
        f"{target}/{file.relative_to(ROOT / folder).as_posix()}"
        for folder, target in mapping.items()
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_wheel_holds_the_tree(wheel: Path) -> None:
    assert _members(wheel) == _tree()


def test_wheel_has_the_version_that_reports_state(wheel: Path) -> None:
    assert wheel.name.startswith(f"torchdoctor-{__version__}-")


def test_nothing_else_is_at_the_top_of_site_packages(wheel: Path) -> None:
    assert {name.partition("/")[0] for name in _members(wheel)} == {"torchdoctor"}


def test_runs_from_a_zip(wheel: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "explain", "missing-main-guard"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "__main__" in ended.stdout, ended.stderr


def test_scan_runs_from_a_zip(wheel: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "scan", "--no-trials", "--select", "python-32bit"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "python-32bit" in ended.stdout, ended.stderr


def test_import_costs_no_heavy_module() -> None:
    code = "import sys, torchdoctor.check, torchdoctor.facts, torchdoctor.knowledge, torchdoctor.explain, torchdoctor.pe; " \
           "print(sorted({'rich', 'typer', 'psutil', 'torch', 'numpy', 'pynvml'} & set(sys.modules)))"  # fmt: skip
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
