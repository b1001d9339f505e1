"""A folder `torch` of one's own hides the installed torch, which is then not to be installed again."""

import pytest

from torchdoctor import explain

ERRORS = (
    "AttributeError: module 'torch' has no attribute 'nn'",
    "ImportError: cannot import name 'nn' from 'torch' (unknown location)",
    "ModuleNotFoundError: No module named 'torch._C'",
)
TOLD = (
    "print(torch.__path__) -> _NamespacePath(['D:\\\\work\\\\torch'])",
    "My project has a folder torch/ with my experiments, I run python torch_train.py in D:\\work",
    "folder named torch in my project (C:\\work\\torch with datasets inside)",
    "I run it in D:\\code, where there is a clone of pytorch named torch",
    "I started python inside the cloned pytorch repository C:\\src\\pytorch",
)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("told", TOLD)
def test_own_folder_is_the_cause(error: str, told: str) -> None:
    first = explain(f"{error}\n{told}\n").diagnoses[0]
    assert ("--force-reinstall" in " ".join(first.fix[:2]), first.name) == (
        False,
        "shadowed-or-partial-torch",
    )


@pytest.mark.parametrize("error", ERRORS[:2])
def test_folder_of_the_packages_is_not_whole(error: str) -> None:
    told = "print(torch.__path__) -> _NamespacePath(['C:\\\\Python311\\\\Lib\\\\site-packages\\\\torch'])"
    assert explain(f"{error}\n{told}\n").diagnoses[0].name == "broken-torch-install"
