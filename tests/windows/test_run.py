"""`run` on Windows: exit codes, input, the whole tree, and the project that only --safe-loader trains."""

import os
import shutil
import subprocess
from pathlib import Path, PureWindowsPath

import pytest

pytestmark = pytest.mark.windows

PROJECT = Path(__file__).parents[1] / "projects" / "fastreid_run"
# The interpreter that runs the doctor, as the program to run.
HERE = "import sys; print(sys.executable)"


@pytest.fixture(scope="module")
def python(windows_python: str) -> str:
    ended = subprocess.run([windows_python, "-c", HERE], capture_output=True, text=True, check=True)
    return ended.stdout.strip()


def test_input_output_and_exit_code_are_the_programs(windows, python: str) -> None:
    ended = windows("run", "--", python, "-c", "import sys; print(input()); sys.exit(41)", stdin="hello\n")
    assert (ended.stdout.strip(), ended.returncode) == ("hello", 41)


def test_crash_keeps_its_exit_code_and_is_explained(windows, python: str) -> None:
    ended = windows("run", "--", python, "-c", "import os; os._exit(0xC0000005 - 2**32)")
    # Under Wine the host sees the lowest byte.
    assert ended.returncode in (0xC0000005, 0xC0000005 & 0xFF)
    assert "access-violation" in ended.stderr


def test_nothing_is_left_running(windows, windows_python: str, python: str) -> None:
    start = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)']).pid)"
    left = int(windows("run", "--", python, "-c", start).stdout)
    probe = (
        "import ctypes; k = ctypes.WinDLL('kernel32'); k.OpenProcess.restype = ctypes.c_void_p; "
        f"h = k.OpenProcess(0x100000, 0, {left}); print(bool(h) and k.WaitForSingleObject(ctypes.c_void_p(h), 0) != 0)"
    )
    ended = subprocess.run([windows_python, "-c", probe], capture_output=True, text=True)
    assert ended.stdout.strip() == "False"


@pytest.fixture
def project(tmp_path: Path) -> str:
    shutil.copytree(PROJECT, tmp_path / "project")
    script = tmp_path / "project" / "train.py"
    return str(script) if os.name == "nt" else str(PureWindowsPath("Z:", str(script)))


def test_project_fails_without_the_safe_loader(windows, torch_lib: Path, project: str) -> None:
    ended = windows("run", project, env={"CUDA_VISIBLE_DEVICES": ""})
    assert (ended.returncode, "cpu-only-build" in ended.stderr) == (1, True), ended.stderr


def test_project_trains_with_the_safe_loader(windows, torch_lib: Path, project: str) -> None:
    ended = windows("run", "--safe-loader", project, env={"CUDA_VISIBLE_DEVICES": ""})
    assert ended.returncode == 0 and ended.stdout.startswith("trained: loss"), ended.stderr
    assert "num_workers 2 -> 0" in ended.stderr and "without its background thread" in ended.stderr
