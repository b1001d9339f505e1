"""What a sentence ends with is no part of the number or name before it."""

import pytest

from torchdoctor import explain

READ = (
    ("torch 2.1 on Windows ended with -1073741819", "access-violation"),
    ("In training on Windows I get error code: 1455", "paging-file-too-small"),
    ("On Windows 11 it says No module named torch", "torch-not-installed"),
    ("On Windows 11 it says No module named 'torch._C'", "broken-torch-install"),
    ("C:\\app>python a.py\nModuleNotFoundError: No module named 'pytorch'", "wrong-package-name"),
    ("C:\\app>python -m pip -V\npython.exe: No module named pip", "venv-without-pip"),
)
ENDS = ("", ".", ". Please help", "!", ",", ")", "...", "。")
STATED = (
    "I have torch 2.1.0+cu118",
    "NVIDIA driver version 531.41",
    "Python 3.10.6",
    "I made it with conda create -n a python=3.10 on Windows",
    "RTX 3060",
)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("text", "name"), READ)
def test_end_of_a_sentence_hides_no_error(text: str, name: str, end: str) -> None:
    diagnoses = explain(text + end).diagnoses
    assert [each.name for each in diagnoses][:1] == [name]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("text", STATED)
def test_end_of_a_sentence_hides_no_statement(text: str, end: str) -> None:
    error = "RuntimeError: CUDA error: out of memory"

    def read(sentence: str) -> list[tuple[str, str]]:
        found = explain(f"{sentence}\n{error}").environments
        return [(each.topic.value, each.value) for place in found for each in place.statements]

    assert read(text)
    assert read(text + end) == read(text)
