"""New environments are made with conda where the text or the machine shows it."""

import re

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.knowledge.conda import write_for_conda
from torchdoctor.knowledge.interpreter import BLOCK

ACTIVATED = """Make one:

   ```powershell
   py -3.11 -m venv C:\\envs\\torch
   Set-ExecutionPolicy RemoteSigned -Scope Process -Force
   C:\\envs\\torch\\Scripts\\Activate.ps1
   python -m pip install torch
   ```

   To undo, delete the folder."""
NAMED = """Install Python 3.8 (64-bit) from python.org beside the one you have, and make an environment with it:

   ```powershell
   py -3.8 -m venv C:\\envs\\old
   C:\\envs\\old\\Scripts\\python.exe -m pip install torch
   ```

   Start the program with `C:\\envs\\old\\Scripts\\python.exe`."""
LATER = """Install the rest:

   ```powershell
   C:\\envs\\old\\Scripts\\python.exe -m pip install numpy
   ```"""
# What only a Python that was installed by hand needs, and what names a folder that conda does not make.
LEFTOVERS = re.compile(r"C:\\envs\\[\w-]+\\Scripts|\bpy -(?:3|0p)|Set-ExecutionPolicy|-m venv C:")


def test_environment_is_made_and_activated_with_conda() -> None:
    made, other = write_for_conda((ACTIVATED, "Restart Windows."))
    assert "conda create -y -n torch python=3.11\n   conda activate torch\n   python -m pip" in made
    assert "To undo, type `conda env remove -n torch`." in made
    assert other == "Restart Windows."


def test_installer_of_python_is_not_asked_for() -> None:
    named, later, verify = write_for_conda(
        (NAMED, LATER, "`C:\\envs\\old\\Scripts\\python.exe -V` prints 3.8.")
    )
    assert named.startswith("Make an environment with Python 3.8:")
    assert (
        "conda create -y -n old python=3.8\n   conda activate old\n   python -m pip install torch\n" in named
    )
    assert named.endswith("Start the program in this environment.")
    assert "conda activate old\n   python -m pip install numpy\n" in later
    assert verify == "`python -V` prints 3.8."


@pytest.mark.parametrize(
    ("version", "minor"), [("3.10.6", "3.10"), ("3.9", "3.9"), ("", "3.12"), ("2.7", "3.12")]
)
def test_environment_has_the_python_at_hand_where_none_is_named(version: str, minor: str) -> None:
    step = "Make one:\n\n```powershell\npython -m venv C:\\envs\\torch\n```"
    assert f"conda create -y -n torch python={minor}\n" in write_for_conda((step,), version)[0]


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (r"py -3.12 -m venv C:\envs\p3d", "conda create -y -n p3d-new python=3.12\nconda activate p3d-new"),
        ("conda create -y -n p3d python=3.12", "conda create -y -n p3d-new python=3.12"),
    ],
)
def test_no_new_environment_takes_the_name_of_the_one_at_hand(command: str, written: str) -> None:
    step = f"Make one:\n\n```powershell\n{command}\n```"
    assert written in write_for_conda((step,), "", "p3d")[0]


def test_steps_without_a_new_environment_stay_as_they_are() -> None:
    step = "Make it again:\n\n```powershell\npy -3.10 -m venv venv\n```\n\nTo undo, delete the folder."
    assert write_for_conda((step,)) == (step,)


def test_python_of_another_kind_comes_from_its_installer() -> None:
    step = ACTIVATED.replace("Make one", 'Take the "Windows installer (64-bit)" of Python 3.11')
    assert write_for_conda((step,)) == (step,)


def test_every_entry_that_makes_an_environment_can_make_it_with_conda() -> None:
    knowledge, _ = load_knowledge()
    written = [
        (name, write_for_conda((step.text,))[0])
        for name, entry in knowledge.entries.items()
        for step in entry.body.steps
        if re.search(r"^ *py -3[^\n]* -m venv C:\\envs\\[\w-]+$", step.text, re.MULTILINE)
        and name not in ("python-32bit", "windows-arm64")
    ]
    assert len(written) > 20
    for name, step in written:
        assert "conda create -y -n " in step, name
        assert "python.org" not in step, name
        assert not any(LEFTOVERS.search(block["code"]) for block in BLOCK.finditer(step)), name
        assert not re.search(r"delete\s+the\s+(?:folder|environment)\b", step), name
