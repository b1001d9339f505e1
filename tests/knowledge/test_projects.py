import pytest

from torchdoctor.knowledge.projects import add_project_lines, write_for_micromamba, write_steps_for_poetry

STEP = """Install it:

   ```powershell
   python -m pip install torch==2.1.1 torchvision==0.16.1 --index-url https://download.pytorch.org/whl/cu118
   ```"""
POETRY = """poetry source add --priority=explicit pytorch-cu118 https://download.pytorch.org/whl/cu118
   poetry add --source pytorch-cu118 torch==2.1.1 torchvision==0.16.1
"""
PDM = """[[tool.pdm.source]]
   name = "pytorch-cu118"
   url = "https://download.pytorch.org/whl/cu118"
   include_packages = ["torch", "torchvision"]
"""


@pytest.mark.parametrize(
    ("installer", "lines"), [("Poetry 1.8.2", POETRY), ("pdm", PDM)], ids=["poetry", "pdm"]
)
def test_lines_of_the_project_follow_the_command(installer: str, lines: str) -> None:
    assert lines in add_project_lines(STEP, installer).removeprefix(STEP)


@pytest.mark.parametrize("installer", ["pip", "uv", ""])
def test_step_of_another_installer_stays(installer: str) -> None:
    assert add_project_lines(STEP, installer) == STEP


def test_step_without_an_index_stays() -> None:
    step = STEP.partition(" --index-url")[0] + "\n   ```"
    assert add_project_lines(step, "Poetry 1.8.2") == step


def test_commands_of_conda_are_those_of_micromamba() -> None:
    step = "Type `conda install -p C:\\e mkl`. To undo, use `conda list --revisions` and `conda install --revision N`."
    assert write_for_micromamba(step).rstrip() == "Type `micromamba install -p C:\\e mkl`."


def test_source_and_packages_of_a_poetry_project_take_the_place_of_pip() -> None:
    other = STEP.replace("torch==2.1.1 torchvision==0.16.1", '--force-reinstall torch "numpy<2"')
    first, second = write_steps_for_poetry([STEP, other])
    assert "`poetry install` puts back" in first and POETRY in first and "pip install" not in first
    assert "puts back" not in second and "pip install" not in second
    assert 'poetry add --source pytorch-cu118 torch@latest\n   poetry add "numpy<2"\n' in second


@pytest.mark.parametrize(
    "step",
    [
        "Remove it:\n\n   ```powershell\n   python -m pip uninstall torch\n   ```",
        STEP.replace("   python", "   py -3.11 -m venv v\n   python", 1),
    ],
    ids=["uninstall", "new environment"],
)
def test_step_that_installs_nothing_for_the_project_stays(step: str) -> None:
    assert write_steps_for_poetry([step]) == (step,)
