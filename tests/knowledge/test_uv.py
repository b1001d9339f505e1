"""In an environment that uv made, steps change what uv installs again."""

from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Interpreter
from torchdoctor.knowledge.uv import (
    write_for_project,
    write_for_uv,
    write_reading_for_uv,
    write_steps_for_uv,
)
from torchdoctor.renderers import terminal

MACHINES = Path(__file__).parents[1] / "samples" / "machines"
PYTHON = r"C:\my project\.venv\Scripts\python.exe"
INDEX = "https://download.pytorch.org/whl/cu128"
STEP = (
    "Install it:\n\n"
    "   ```powershell\n"
    f"   python -m pip install --force-reinstall --no-deps torch==2.9.1 --index-url {INDEX}\n"
    f"   python -m pip install torch==2.9.1 --index-url {INDEX}\n"
    "   ```\n\n"
    "   `python -m pip uninstall -y torch` undoes it."
)


def test_pip_of_uv_installs_into_the_examined_python() -> None:
    written = write_for_uv(STEP, PYTHON, is_locked=False)
    assert f'uv pip install --python "{PYTHON}" torch==2.9.1 --index-url {INDEX}\n' in written


def test_option_that_uv_lacks_is_left_out() -> None:
    assert f'`uv pip uninstall --python "{PYTHON}" torch`' in write_for_uv(STEP, PYTHON, is_locked=False)


def test_lock_that_may_be_there_is_told() -> None:
    assert "has a `uv.lock`" in write_for_uv(STEP, PYTHON, is_locked=None)


def test_project_gets_the_index_and_the_packages() -> None:
    assert f"   uv add --frozen --index pytorch-cu128={INDEX} torch==2.9.1\n" in write_for_project(
        STEP, PYTHON
    )


def test_project_is_installed_at_once() -> None:
    assert "torch==2.9.1\n   uv sync\n   ```" in write_for_project(STEP, PYTHON)


def test_package_of_the_usual_index_is_added() -> None:
    step = 'Do it:\n\n```powershell\npython -m pip install --upgrade --only-binary numpy "numpy<2"\n```'
    assert '```powershell\nuv add "numpy<2"\n```' in write_for_project(step, PYTHON)


def test_same_files_are_put_back_in_the_environment() -> None:
    step = STEP.replace("--no-deps", "--no-deps --no-cache-dir")
    assert "uv pip install" in write_for_project(step, PYTHON)


def test_new_environment_keeps_its_pip() -> None:
    step = "```powershell\npython -m venv new\npython -m pip install torch\n```"
    assert (write_for_project(step, PYTHON), write_for_uv(step, PYTHON, is_locked=None)) == (step, step)


def test_step_without_commands_stays() -> None:
    assert write_for_uv("Restart.", PYTHON, is_locked=None) == "Restart."


@pytest.mark.parametrize(
    ("has_lock", "command"),
    [
        (True, "uv add --frozen --index pytorch-cu128="),
        (False, "uv pip install --python "),
        (Absent("not looked for"), "has a uv.lock, "),
    ],
    ids=["locked", "not-locked", "unknown"],
)
def test_screen_shows_the_command_for_this_project(
    has_lock: bool | Absent, command: str, scan_sample
) -> None:
    report = scan_sample(next(MACHINES.glob("39-*.json")))
    interpreter = report.facts.get(Interpreter)
    assert isinstance(interpreter, Interpreter)
    changed = {Interpreter: replace(interpreter, has_uv_lock=has_lock)}
    screen = terminal.render(replace(report, facts=report.facts.with_values(changed)), width=200)
    assert command in screen and "ensurepip" not in screen


def test_only_the_first_step_says_that_uv_made_the_environment() -> None:
    steps = write_steps_for_uv([STEP, STEP], PYTHON)
    assert [step.count("uv made this environment") for step in steps] == [1, 0]


def test_commands_that_change_nothing_are_those_of_uv() -> None:
    command = "python -m pip list | findstr torch"
    assert write_reading_for_uv(command, PYTHON) == f'uv pip list --python "{PYTHON}" | findstr torch'


def test_command_that_reads_the_installed_torch_calls_uv() -> None:
    step = (
        "```powershell\npython -c \"import runpy, sys; sys.argv = ['pip', 'install', '-U', 'torch'];"
        " runpy.run_module('pip', run_name='__main__')\"\n```"
    )
    called = "subprocess.call(['uv', 'pip', 'install', '--python', sys.executable, '-U', 'torch'])"
    assert called in write_for_uv(step, PYTHON, is_locked=False)
