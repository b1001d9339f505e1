"""A Python that has torch is never the one into which torch is to be installed."""

from itertools import product

import pytest

from torchdoctor import explain

HAS = r"C:\Python310\python.exe"
ERRORS = (
    "C:\\p>py train.py\nModuleNotFoundError: No module named 'torch'",
    "$ python a.py\nModuleNotFoundError: No module named 'torch'",
)
SHOWN = {
    "torch-file": 'python -c "import torch; print(torch.__file__)"\nC:\\Python310\\lib\\site-packages\\torch\\__init__.py',
    "version": f'C:\\p>{HAS} -c "import torch; print(torch.__version__)"\n2.5.1+cu124',
    "pip-show": f"C:\\p>{HAS} -m pip show torch\nName: torch\nVersion: 2.6.0",
    "satisfied": r"Requirement already satisfied: torch in c:\python310\lib\site-packages (2.4.0)",
    "pip-of-it": "$ pip -V\npip 24.0 from C:\\Python310\\lib\\site-packages\\pip (python 3.10)\n"
    "Requirement already satisfied: torch in c:\\python310\\lib\\site-packages (2.4.0)",
}
BESIDE = {
    "nothing": "",
    "py-list": "py -0p\n -V:3.13 *        C:\\Python313\\python.exe\n -V:3.10          C:\\Python310\\python.exe",
    "where": "C:\\p>where python\nC:\\Python313\\python.exe",
}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("beside", BESIDE)
def test_python_with_torch_starts_the_program(shown: str, beside: str) -> None:
    for error, is_first in product(ERRORS, (True, False)):
        parts = (error, SHOWN[shown]) if is_first else (SHOWN[shown], error)
        first = explain("\n".join((*parts, BESIDE[beside])) + "\n").diagnoses[0]
        assert ("pip install" in first.fix[0], HAS.lower() in first.fix[0].lower()) == (False, True), parts


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (
            "PS C:\\x> .\\venv\\Scripts\\activate\n.\\venv\\Scripts\\activate : File C:\\x\\venv\\Scripts\\Activate.ps1"
            " cannot be loaded because running scripts is disabled on this system.",
            "Set-ExecutionPolicy RemoteSigned -Scope Process",
        ),
        (
            "$ source venv/bin/activate\nbash: venv/bin/activate: No such file or directory",
            "source venv/Scripts/activate",
        ),
        ("C:\\p>venv\\Scripts\\activate\nThe system cannot find the path specified.", "python.exe train.py"),
        (
            "uv run train.py\nwarning: `VIRTUAL_ENV=C:\\p\\venv` does not match the project environment path"
            " `.venv` and will be ignored",
            "uv run --active train.py",
        ),
    ],
)
def test_environment_that_was_not_activated_is_the_cause(text: str, step: str) -> None:
    first = explain(f"{text}\nModuleNotFoundError: No module named 'torch'\n").diagnoses[0]
    assert step in first.fix[0]
