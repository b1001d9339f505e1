"""`run` on Windows: exit codes, input, process tree, and a project that trains only with --safe-loader."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows

PROJECT = Path(__file__).parents[1] / "projects" / "fastreid_run"
# Prints the interpreter that runs the doctor, which is also the program to run.
PRINT_EXECUTABLE = "import sys; print(sys.executable)"
DEFINE_IS_ALIVE = """
import ctypes
k = ctypes.WinDLL("kernel32"); k.OpenProcess.restype = ctypes.c_void_p
def is_alive(number, wait=0):
    h = k.OpenProcess(0x100000, 0, number)
    return bool(h) and k.WaitForSingleObject(ctypes.c_void_p(h), wait) != 0
"""
# Runs, under the doctor, a program with a child of its own, and ends the doctor as the task manager does.
END_DOCTOR = f"""{DEFINE_IS_ALIVE}
import subprocess, sys
sleep = "import time; time.sleep(99)"
program = f"import os, subprocess, sys; print(os.getpid(), subprocess.Popen([sys.executable, '-c', '{{sleep}}']).pid, flush=True); {{sleep}}"
doctor = [sys.executable, "-m", "torchdoctor", "run", "--", sys.executable, "-c", program]
process = subprocess.Popen(doctor, stdout=subprocess.PIPE)
numbers = [int(number) for number in process.stdout.readline().split()]
print(*map(is_alive, numbers))
process.terminate()
print(*(is_alive(number, 5000) for number in numbers))
"""


@pytest.fixture(scope="module")
def python(windows_python: str) -> str:
    result = subprocess.run(
        [windows_python, "-c", PRINT_EXECUTABLE], capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def test_input_output_and_exit_code_are_passed_on(run_doctor, python: str) -> None:
    result = run_doctor(
        "run", "--", python, "-c", "import sys; print(input()); sys.exit(41)", stdin="hello\n"
    )
    assert (result.stdout.strip(), result.returncode) == ("hello", 41)


def test_crash_keeps_its_exit_code_and_is_explained(run_doctor, python: str) -> None:
    result = run_doctor("run", "--", python, "-c", "import os; os._exit(0xC0000005 - 2**32)")
    # Under Wine the host sees the lowest byte.
    assert result.returncode in (0xC0000005, 0xC0000005 & 0xFF)
    assert "access-violation" in result.stderr


def test_process_left_running_is_ended(run_doctor, windows_python: str, python: str) -> None:
    start = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)']).pid)"
    child_id = int(run_doctor("run", "--", python, "-c", start).stdout)
    probe = f"{DEFINE_IS_ALIVE}print(is_alive({child_id}))"
    result = subprocess.run([windows_python, "-c", probe], capture_output=True, text=True)
    assert result.stdout.strip() == "False"


def test_ending_the_doctor_ends_the_whole_process_tree(
    doctor_folder: Path, windows_python: str, windows_path
) -> None:
    result = subprocess.run(
        [windows_python, "-c", END_DOCTOR], capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": windows_path(doctor_folder)},
    )  # fmt: skip
    assert result.stdout.split() == ["True", "True", "False", "False"], result.stderr


def test_launcher_runs_with_special_characters_in_names_and_arguments(
    run_doctor, windows_python, windows_path, tmp_path: Path
) -> None:
    folder = tmp_path / "a b & c"
    folder.mkdir()
    (folder / "my prog.py").write_text("import sys; print(sys.argv[1:]); sys.exit(7)", encoding="utf-8")
    arguments = ["x y", "a&b", 'q"r', "50%"]
    file = windows_path(folder / "go & now.bat")
    run_doctor("run", "--write-launcher", file, windows_path(folder / "my prog.py"), *arguments)
    command = f'cmd /c ""{file}""'
    click = f"import subprocess as s, sys; sys.exit(s.call({command!r}, stdin=s.DEVNULL))"
    result = subprocess.run([windows_python, "-c", click], capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout.splitlines()[0]) == (7, str(arguments)), result.stderr


@pytest.fixture
def project(tmp_path: Path, windows_path) -> str:
    shutil.copytree(PROJECT, tmp_path / "project")
    return windows_path(tmp_path / "project" / "train.py")


def test_project_fails_without_the_safe_loader(run_doctor, torch_lib: Path, project: str) -> None:
    result = run_doctor("run", project, env={"CUDA_VISIBLE_DEVICES": ""})
    assert (result.returncode, "background-loader-stream" in result.stderr) == (1, True), result.stderr
    assert "torchdoctor run --safe-loader" in result.stderr


def test_printed_repair_of_a_loader_with_streams_works(
    windows_python: str, windows_path, torch_lib: Path, write_streaming_loader
) -> None:
    command = [windows_python, windows_path(write_streaming_loader())]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.stdout.split() == ["True", "3"], result.stderr


def test_project_trains_with_the_safe_loader(run_doctor, torch_lib: Path, project: str) -> None:
    result = run_doctor("run", "--safe-loader", project, env={"CUDA_VISIBLE_DEVICES": ""})
    assert result.returncode == 0 and result.stdout.startswith("trained: loss"), result.stderr
    assert "num_workers 2 -> 0" in result.stderr and "without its background thread" in result.stderr
