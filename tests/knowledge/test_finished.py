"""Steps for programs that have their Python in them."""

from torchdoctor.knowledge.finished import leave_to_program

INSTALLS = "Install it:\n\n```powershell\npython -m pip install torch\n```\n"
LOOKS = 'Look at it:\n\n```powershell\n.\\venv\\Scripts\\python.exe -c "import torch"\n```\n'
DRIVER = "Update the driver:\n\n```powershell\nnvidia-smi\n```\n"


def test_newer_version_takes_the_place_of_what_pip_would_do() -> None:
    steps, _ = leave_to_program((DRIVER, INSTALLS, INSTALLS), "Start it.", ())
    assert [step.split(":")[0] for step in steps] == [
        "Update the driver",
        "Get a newer {program|version of the program}",
    ]


def test_step_that_asks_the_python_leaves() -> None:
    assert leave_to_program((LOOKS, DRIVER), "Start it.", ()) == ((DRIVER,), "Start it.")


def test_case_for_such_a_program_needs_no_other_step() -> None:
    assert leave_to_program((DRIVER, INSTALLS), "Start it.", ("sealed",)) == ((DRIVER,), "Start it.")


def test_verification_is_a_start_of_the_program() -> None:
    _, verify = leave_to_program((DRIVER,), LOOKS, ())
    assert verify == "Start {program|the program} again, and do the same: the message is gone."
