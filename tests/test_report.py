"""What a finding saw is filled into the advice, unless a shell could run it."""

import pytest

from torchdoctor.check import Finding
from torchdoctor.engine.library import load_knowledge
from torchdoctor.facts import Facts
from torchdoctor.report import find_advice

KNOWLEDGE = load_knowledge()[0]


def _advise(path: str) -> str:
    finding = Finding("hidden", evidence={"path": path, "file": "torch.py"}, step="rename")
    return find_advice(finding, "shadowed-or-partial-torch", KNOWLEDGE, Facts()) or ""


@pytest.mark.parametrize(
    "path",
    [r"C:\work\torch.py", r"C:\Program Files (x86)\it's\torch.py", "/home/me/torch.py", r"D:\träin\torch.py"],
)
def test_path_is_filled_into_the_command(path: str) -> None:
    assert f'Rename-Item "{path}" "my_torch.py"' in _advise(path)


@pytest.mark.parametrize(
    "path",
    [
        r"C:\$(calc)\torch.py",
        "C:\\`calc`\\torch.py",
        r"C:\a&calc&\torch.py",
        r"C:\%PATH%\torch.py",
        'C:\\a" ; calc ; "\\torch.py',
        "C:\\a\ncalc\\torch.py",
        r"C:\Users\<user>\torch.py",
        "$env:X",
        "(calc)",
    ],
)
def test_path_that_a_shell_could_run_is_not(path: str) -> None:
    assert 'Rename-Item "torch.py" "my_torch.py"' in _advise(path)
