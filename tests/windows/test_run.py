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
LIVES = """
import ctypes
k = ctypes.WinDLL("kernel32"); k.OpenProcess.restype = ctypes.c_void_p
def lives(number, wait=0):
    h = k.OpenProcess(0x100000, 0, number)
    return bool(h) and k.WaitForSingleObject(ctypes.c_void_p(h), wait) != 0
"""
# A program with a child of its own; the doctor between them and us is ended as by the task manager.
END_DOCTOR = f"""{LIVES}
import subprocess, sys
sleep = "import time; time.sleep(99)"
program = f"import os, subprocess, sys; print(os.getpid(), subprocess.Popen([sys.executable, '-c', '{{sleep}}']).pid, flush=True); {{sleep}}"
doctor = [sys.executable, "-m", "torchdoctor", "run", "--", sys.executable, "-c", program]
ended = subprocess.Popen(doctor, stdout=subprocess.PIPE)
numbers = [int(number) for number in ended.stdout.readline().split()]
print(*map(lives, numbers))
ended.terminate()
print(*(lives(number, 5000) for number in numbers))
"""


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
    probe = f"{LIVES}print(lives({left}))"
    ended = subprocess.run([windows_python, "-c", probe], capture_output=True, text=True)
    assert ended.stdout.strip() == "False"


def test_ending_the_doctor_ends_the_whole_tree(doctor_folder: Path, windows_python: str) -> None:
    path = _spell(doctor_folder)
    ended = subprocess.run(
        [windows_python, "-c", END_DOCTOR], capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert ended.stdout.split() == ["True", "True", "False", "False"], ended.stderr


def test_launcher_runs_with_any_name_folder_and_arguments(windows, windows_python, tmp_path: Path) -> None:
    folder = tmp_path / "a b & c"
    folder.mkdir()
    (folder / "my prog.py").write_text("import sys; print(sys.argv[1:]); sys.exit(7)", encoding="utf-8")
    arguments = ["x y", "a&b", 'q"r', "50%"]
    file = _spell(folder / "go & now.bat")
    windows("run", "--write-launcher", file, _spell(folder / "my prog.py"), *arguments)
    command = f'cmd /c ""{file}""'
    click = f"import subprocess as s, sys; sys.exit(s.call({command!r}, stdin=s.DEVNULL))"
    ended = subprocess.run([windows_python, "-c", click], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (7, str(arguments)), ended.stderr


def _spell(path: Path) -> str:
    """Write a path of this machine as Windows does; under Wine it lies on drive Z."""
    return str(path) if os.name == "nt" else str(PureWindowsPath("Z:", str(path)))


@pytest.fixture
def project(tmp_path: Path) -> str:
    shutil.copytree(PROJECT, tmp_path / "project")
    return _spell(tmp_path / "project" / "train.py")


def test_project_fails_without_the_safe_loader(windows, torch_lib: Path, project: str) -> None:
    ended = windows("run", project, env={"CUDA_VISIBLE_DEVICES": ""})
    assert (ended.returncode, "cpu-only-build" in ended.stderr) == (1, True), ended.stderr


def test_project_trains_with_the_safe_loader(windows, torch_lib: Path, project: str) -> None:
    ended = windows("run", "--safe-loader", project, env={"CUDA_VISIBLE_DEVICES": ""})
    assert ended.returncode == 0 and ended.stdout.startswith("trained: loss"), ended.stderr
    assert "num_workers 2 -> 0" in ended.stderr and "without its background thread" in ended.stderr
