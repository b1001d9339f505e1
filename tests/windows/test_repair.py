"""What `repair` asks of Windows: variables of the account, running programs, and the lock."""

import json
import os
import subprocess

import pytest

pytestmark = pytest.mark.windows

NAME = "CUDA_LAUNCH_BLOCKING"
SET = f"""
import winreg
with winreg.OpenKey(winreg.HKEY_CURRENT_USER, "Environment", 0, winreg.KEY_ALL_ACCESS) as key:
    winreg.SetValueEx(key, "{NAME}", 0, winreg.REG_EXPAND_SZ, "1")
"""
READ = f"""
import winreg
with winreg.OpenKey(winreg.HKEY_CURRENT_USER, "Environment") as key:
    try:
        print(*winreg.QueryValueEx(key, "{NAME}"))
    except OSError:
        print("not set")
"""
REMOVE = SET.replace("SetValueEx", "DeleteValue").replace(', 0, winreg.REG_EXPAND_SZ, "1")', ")")
PROGRAMS = """
import os, subprocess, sys
from torchdoctor.processes.programs import find_own_family, list_programs
from torchdoctor.repair.environment import describe_environment, find_using_programs
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
programs = {each.number: each for each in list_programs()}
own = programs[os.getpid()]
assert os.path.samefile(own.paths[0], sys.executable), own
assert programs[child.pid].parent == os.getpid(), programs[child.pid]
assert {os.getpid(), child.pid} <= find_own_family(programs.values())
environment = describe_environment(sys.executable)
assert environment.has_pip and environment.owner is None and environment.packages, environment
assert child.pid not in {each.number for each in find_using_programs(environment)}
child.communicate(b"")
print("ok")
"""
LOCK = """
import subprocess, sys
from torchdoctor.core.usage import UsageError
from torchdoctor.repair.journal import only_repair
code = "from torchdoctor.repair.journal import only_repair\\nwith only_repair(): print('held')"
with only_repair():
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "another repair is running" in child.stderr, child
assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "held"
print("ok")
"""


@pytest.fixture
def run_code(windows_python, doctor_folder, windows_path, tmp_path):
    """Return a function that runs code on Windows, beside the doctor, and returns what it prints."""

    def run(code: str) -> str:
        variables = {
            "PYTHONPATH": windows_path(doctor_folder),
            "TORCHDOCTOR_STATE_DIR": windows_path(tmp_path),
        }
        result = subprocess.run(
            [windows_python, "-c", code],
            capture_output=True,
            text=True,
            timeout=200,
            env={**os.environ, **variables},
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    return run

    return dict(os.environ)


def test_variable_of_the_account_is_removed_and_comes_back(
    run_doctor, run_code, windows_path, tmp_path
) -> None:
    kept = {"TORCHDOCTOR_STATE_DIR": windows_path(tmp_path), NAME: "1"}
    run_code(SET)
    try:
        options = ("--yes", "--select", "hurtful-environment-variables", "--format", "json")
        result = run_doctor("repair", *options, env=kept)
        data = json.loads(result.stdout)
        assert [step["verdict"] for step in data["results"]] == ["mended"], result.stdout
        assert run_code(READ) == "not set"
        assert run_doctor("repair", "--undo", env=kept).returncode == 0
        # Its kind came back, too: 2 is REG_EXPAND_SZ.
        assert run_code(READ) == "1 2"
    finally:
        run_code(REMOVE)


def test_variable_that_is_not_of_the_account_is_left_to_the_person(
    run_doctor, windows_path, tmp_path
) -> None:
    kept = {"TORCHDOCTOR_STATE_DIR": windows_path(tmp_path), NAME: "1"}
    options = ("--dry-run", "--select", "hurtful-environment-variables", "--format", "json")
    data = json.loads(run_doctor("repair", *options, env=kept).stdout)
    assert data["plan"] == [] and [step["name"] for step in data["manual"]] == [
        "hurtful-environment-variables"
    ]


@pytest.mark.parametrize("code", [PROGRAMS, LOCK], ids=["programs", "lock"])
def test_of_the_system(run_code, code: str) -> None:
    assert run_code(code) == "ok"
