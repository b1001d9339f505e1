"""torchdoctor.pyz: one file that any Python runs, from an empty folder and without pip."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def pyz(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = importlib.util.spec_from_file_location("make_pyz", ROOT / ".ci" / "make_pyz.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    target = tmp_path_factory.mktemp("pyz") / "torchdoctor.pyz"
    module.make_pyz(target, wheel)
    return target


def _run(python: str, pyz: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Without site-packages, no installed package can help; the name of the file is relative, as people type it.
    command = [python, "-I", "-S", pyz.name, *arguments]
    return subprocess.run(command, cwd=pyz.parent, capture_output=True, text=True, timeout=300)


def test_scans(pyz: Path) -> None:
    result = _run(sys.executable, pyz, "scan", "--no-trials", "--format", "json")
    report = json.loads(result.stdout)
    assert (result.returncode in (0, 1), report["summary"]["broken"]) == (True, [])
    assert report["facts"]["operating_system"]["system"]


def test_explains(pyz: Path) -> None:
    result = _run(sys.executable, pyz, "explain", "OSError: [WinError 1455] The paging file is too small")
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True)


def test_writes_a_page(pyz: Path) -> None:
    result = _run(sys.executable, pyz, "scan", "--no-trials", "--format", "html")
    assert result.stdout.startswith("<!DOCTYPE html>")


def test_leaves_nothing_in_its_folder(pyz: Path) -> None:
    _run(sys.executable, pyz, "scan", "--no-trials")
    assert [file.name for file in pyz.parent.iterdir()] == ["torchdoctor.pyz"]


@pytest.mark.windows
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("scan",), "Windows 10"),
        (("explain", "OSError: [WinError 1455] The paging file is too small"), "paging-file-too-small"),
        (("loader",), "num_workers"),
    ],
    ids=["scan", "explain", "loader"],
)
def test_runs_on_windows(arguments: tuple[str, ...], expected: str, pyz: Path, windows_python: str) -> None:
    result = _run(windows_python, pyz, *arguments)
    assert expected in result.stdout, result.stderr
