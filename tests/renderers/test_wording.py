"""A step is shortened to what it says first, with all of the commands that it announces."""

import pytest

from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain
from torchdoctor.renderers.wording import describe_offline, describe_python, shorten_step


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        ("Close other programs.\n\nIf that does not help, restart.", "Close other programs."),
        ("Print it:\n\n```python\nimport os\n\nprint(os)\n```\n\nThen go on.", "Print it:\n\n```python\nimport os\n\nprint(os)\n```"),
        ("Do it:\n\n   ```powershell\n   a\n   ```\n\nDone.", "Do it:\n\n   ```powershell\n   a\n   ```"),
        ("Choose one:\n\n- a\n- b\n\nDone.", "Choose one:\n\n- a\n- b"),
    ],
)  # fmt: skip
def test_step_is_shortened(step: str, shown: str) -> None:
    assert shorten_step(step) == shown


@pytest.mark.parametrize(
    ("shell", "told"),
    [
        ("In micromamba-cmd.bat of the program:", "start that file"),
        ("C:\\ai>micromamba install numpy", "micromamba activate NAME"),
        ("", "conda activate NAME"),
    ],
)
def test_console_in_which_python_is_found_is_that_of_the_text(shell: str, told: str) -> None:
    text = (
        f"{shell}\nPyTorch version: 2.0.0+cpu\nOS: Microsoft Windows 10 Home\nGPU: RTX 3070\n"
        "Python version: 3.10.10 | packaged by conda-forge | (main, Mar 24 2023) [MSC v.1934 64 bit (AMD64)]\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    )
    assert told in str(describe_python(explain(text, load_heads()).diagnoses[0]))


@pytest.mark.parametrize(
    "text",
    [
        "torch is installed in py -3.10. With `py main.py` I get\n",
        "$ pip -V\npip 24.0 from C:\\u\\miniconda3\\lib\\site-packages\\pip (python 3.12)\n$ pip install torch\n"
        "Requirement already satisfied: torch in c:\\u\\miniconda3\\lib\\site-packages (2.4.0)\n$ python a.py\n",
    ],
    ids=["launcher", "path"],
)
def test_nothing_is_said_of_python_where_the_first_command_names_it(text: str) -> None:
    text += "ModuleNotFoundError: No module named 'torch'"
    assert describe_python(explain(text, load_heads(), on_screen=True).diagnoses[0]) is None


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("I copied the environment to an offline server.", True),
        ("The workstation has no internet.", True),
        ("已经安装了完整的torch，然后复制到了离线状态的服务器", True),
        ("Our PC without internet access, Windows 10.", True),
        ("Loading the model in offline mode, check your internet connection.", False),
        ("HF_HUB_OFFLINE=1", False),
        ("", False),
    ],
)
def test_packages_for_a_computer_without_internet_are_carried_over(said: str, is_told: bool) -> None:
    text = (
        f"{said}\nNVIDIA GeForce RTX 3070\nWindows 10\nAssertionError: Torch not compiled with CUDA enabled"
    )
    told = describe_offline(explain(text, load_heads()).diagnoses[0])
    assert ("pip download" in str(told)) == is_told


def test_pip_download_is_given_none_of_the_options_that_it_does_not_know() -> None:
    text = "The workstation has no internet.\nRTX 3070\nAssertionError: Torch not compiled with CUDA enabled"
    assert "without --upgrade and --force-reinstall" in str(
        describe_offline(explain(text, load_heads()).diagnoses[0])
    )
