"""pip installs the wheel beside old, new and no packages, and changes none of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from torchdoctor.core.record import record

pytestmark = pytest.mark.index

# What the doctor uses, in versions that other packages hold it to. typer 0.29 needs pydantic 2, which is
# compiled; the oldest psutil is the oldest that has a wheel.
INSTALLED_BEFORE = {
    "new": ("typer>=0.29", "rich", "click", "psutil", "nvidia-ml-py"),
    "old": ("pydantic<2", "click<8", "rich<11", "psutil<6", "nvidia-ml-py<12", "tomli<2"),
    "nothing": (),
}


@record
class Environment:
    """An environment in which the doctor was installed, and what pip said of it before."""

    python: Path
    packages_before: frozenset[str]
    problems_before: frozenset[str]
    compiled_before: frozenset[Path]


@pytest.fixture(scope="module")
def package_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("index")
    result = _run_pip("download", "-q", "--retries", "0", "--no-deps", "-d", folder, "colorama==0.4.6")
    if result.returncode:
        pytest.skip(f"needs a package index: {result.stderr.strip().splitlines()[-1]}")


@pytest.fixture(scope="module", params=INSTALLED_BEFORE)
def environment(
    request: pytest.FixtureRequest, package_index: None, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    folder = tmp_path_factory.mktemp(request.param)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if packages := INSTALLED_BEFORE[request.param]:
        _run_pip("install", "-q", "--no-compile", "--only-binary=:all:", *packages, python=python, check=True)
    before = (_list_packages(python), _find_problems(python), _find_compiled(python))
    _run_pip("install", "-q", wheel, python=python, check=True)
    return Environment(python, *map(frozenset, before))


def _run_pip(
    command: str, *arguments: object, python: Path | str = sys.executable, check: bool = False
) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "pip", "--python", str(python), command, *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, check=check)


def _list_packages(python: Path) -> set[str]:
    return set(_run_pip("list", "--format", "freeze", python=python, check=True).stdout.split())


def _find_problems(python: Path) -> set[str]:
    return set(_run_pip("check", python=python).stdout.splitlines()) - {"No broken requirements found."}


def test_changes_no_package(environment: Environment) -> None:
    packages = _list_packages(environment.python)
    added = {line.partition("==")[0] for line in packages - environment.packages_before}
    assert (environment.packages_before <= packages, added <= {"torchdoctor", "psutil", "tomli"}) == (
        True,
        True,
    )


def test_adds_no_problem(environment: Environment) -> None:
    assert _find_problems(environment.python) <= environment.problems_before


def test_adds_nothing_compiled_but_psutil(environment: Environment) -> None:
    added = _find_compiled(environment.python) - environment.compiled_before
    assert {file.parent.name for file in added} <= {"psutil"}


def _find_compiled(python: Path) -> set[Path]:
    return {file for file in python.parents[1].rglob("*") if file.suffix in (".so", ".pyd", ".dll", ".dylib")}


@pytest.mark.parametrize(
    ("arguments", "exit_codes"),
    [(("--version",), {0}), (("scan", "--no-trials"), {0, 1}), (("explain", "[WinError 1455]"), {0})],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_command_works(environment: Environment, tmp_path: Path, arguments, exit_codes: set[int]) -> None:
    command = environment.python.parent / "torchdoctor"
    result = subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode in exit_codes, result.stderr) == (True, "")


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_dependency_has_a_wheel_for_32_bit_windows(
    package_index: None, requirements: list[Requirement], tmp_path: Path, version: str
) -> None:
    # Without --only-binary, pip takes the newest version, even if that is source to compile.
    options = ("--no-deps", "--platform", "win32", "--python-version", version, "-d", tmp_path)
    windows = {"sys_platform": "win32", "python_version": version, "extra": ""}
    for item in requirements:
        if item.marker is None or item.marker.evaluate(windows):
            _run_pip("download", "-q", *options, f"{item.name}{item.specifier}", check=True)
    assert [file.name for file in tmp_path.iterdir() if file.suffix != ".whl"] == []
