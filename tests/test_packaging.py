"""The wheel contains one package with the files of the tree, and runs from a zip; a clone runs as well."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from torchdoctor import __version__

ROOT = Path(__file__).parents[1]


def _find_members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def _find_expected_members() -> set[str]:
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


def test_wheel_contains_the_tree(wheel: Path) -> None:
    assert _find_members(wheel) == _find_expected_members()


def test_wheel_has_the_version_of_the_package(wheel: Path) -> None:
    assert wheel.name.startswith(f"torchdoctor-{__version__}-")


def test_wheel_has_one_top_level_package(wheel: Path) -> None:
    assert {name.partition("/")[0] for name in _find_members(wheel)} == {"torchdoctor"}


def test_explain_runs_from_a_zip(wheel: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "explain", "missing-main-guard"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "__main__" in result.stdout, result.stderr


def test_scan_runs_from_a_zip(wheel: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "scan", "--no-trials", "--select", "python-32bit"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "python-32bit" in result.stdout, result.stderr


def test_core_imports_no_heavy_module() -> None:
    code = "import sys, torchdoctor.check, torchdoctor.facts, torchdoctor.knowledge, torchdoctor.explain, torchdoctor.pe; " \
           "print(sorted({'rich', 'typer', 'psutil', 'torch', 'numpy', 'pynvml'} & set(sys.modules)))"  # fmt: skip
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def _make_clone(folder: Path) -> Path:
    for name in ("torchdoctor", "checks", "knowledge_base"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _run_in_clone(clone: Path, *arguments: str, packages: bool) -> subprocess.CompletedProcess[str]:
    # Without `site`, Python does not read where the packages of an editable installation are; only their
    # metadata is found.
    paths = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")] if packages else []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-S", "-m", "torchdoctor", *arguments]
    return subprocess.run(command, cwd=clone, env=env, capture_output=True, text=True)


def test_runs_from_the_root_of_a_clone(tmp_path: Path) -> None:
    clone = _make_clone(tmp_path)
    result = _run_in_clone(clone, "scan", "--no-trials", "--select", "python-32bit", packages=True)
    assert (result.returncode, "(python-32bit)" in result.stdout) == (0, True), result.stderr


def test_clone_without_dependencies_prints_the_install_command(tmp_path: Path) -> None:
    result = _run_in_clone(_make_clone(tmp_path), "scan", packages=False)
    assert (result.returncode, result.stderr.count("\n"), "pip install" in result.stderr) == (3, 1, True)
