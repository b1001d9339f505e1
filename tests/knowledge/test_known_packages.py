"""A step says nothing of packages and Pythons that are not there."""

import pytest

from torchdoctor.facts import Companion, Companions, Distribution, Distributions, Facts
from torchdoctor.knowledge.known_packages import keep_installed

INDEX = "--index-url https://download.pytorch.org/whl/cu128"
COMMAND = f"python -m pip install torch==2.9.1 torchvision==0.24.1 torchaudio==2.9.1 {INDEX}"
SENTENCE = "If xformers is installed, it needs another release afterwards."
STEP = f"Install:\n\n```powershell\n{COMMAND}\n```\n\n{SENTENCE} More."


def _fit(step: str, *installed: str, **others: object) -> str:
    pairs = (each.split(" ") for each in installed)
    distributions = Distributions(tuple(Distribution(name, version, "s") for name, version in pairs))
    return keep_installed(step, Facts({Distributions: distributions, **others}))


def test_companion_that_is_not_there_is_not_installed() -> None:
    fitted = _fit(STEP, "torch 2.9.1", "torchvision 0.24.1")
    assert f"python -m pip install torch==2.9.1 torchvision==0.24.1 {INDEX}\n" in fitted


def test_all_are_installed_where_torch_is_not_there() -> None:
    assert COMMAND in _fit(STEP, "numpy 2.2.6")


def test_all_are_installed_in_a_new_environment() -> None:
    step = f"```powershell\npython -m venv C:\\new\n{COMMAND}\n```"
    assert _fit(step, "torch 2.9.1") == step


def test_nothing_is_left_out_where_the_packages_are_not_known() -> None:
    assert keep_installed(STEP, Facts()) == STEP


@pytest.mark.parametrize(
    ("installed", "sentence"),
    [
        ("numpy 2.2.6", "\n\nMore."),
        (
            "xformers 0.0.23.post1",
            "xformers 0.0.23.post1 is installed: it needs another release afterwards. M",
        ),
        ("xformers 0.0.33.post2", "\n\nMore."),
    ],
    ids=["absent", "of-another-torch", "of-this-torch"],
)
def test_sentence_about_a_package(installed: str, sentence: str) -> None:
    assert sentence in _fit(STEP, "torch 2.9.1", installed)


def test_metadata_of_a_package_comes_before_the_table() -> None:
    companions = Companions((Companion("xformers", "0.0.23.post1", "s", None, ">=2.1"),))
    distributions = Distributions((Distribution("xformers", "0.0.23.post1", "s"),))
    facts = Facts({Distributions: distributions, Companions: companions})
    assert "is installed" not in keep_installed(STEP, facts)
