"""Names with versions in a row: which of them are packages, and which lists are wishes."""

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic


def read_packages(text: str) -> dict[str, str]:
    return {
        statement.subject: statement.value
        for environment in read_environment(text)
        for statement in environment.statements
        if statement.topic is Topic.PACKAGE
    }


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        (
            "torch 2.4.1\nspacy 3.7.6\nnumpy 1.26.4\ntorchaudio 2.4.1",
            {"spacy": "3.7.6", "numpy": "1.26.4", "torchaudio": "2.4.1"},
        ),
        ("- torch: 2.4.1\n- numpy: 1.26.4\n- Spacy: 3.7.6", {"numpy": "1.26.4", "spacy": "3.7.6"}),
        ("numpy    1.26.4>=1.23.0\nspacy    3.7.6>=3.0\nscipy    1.13.1>=1.4.1", {"numpy": "1.26.4", "spacy": "3.7.6", "scipy": "1.13.1"}),
        ("| Package | Version |\n|---|---|\n| torch | 2.4.1 |\n| numpy | 1.26.4 |\n| spacy | 3.7.6 | fine |", {"numpy": "1.26.4", "spacy": "3.7.6"}),
        ("We have torch 2.4.1, spacy 3.7.6 and numpy 1.26.4.", {"spacy": "3.7.6", "numpy": "1.26.4"}),
        ("torch 2.4.1+cu121 / spacy 3.7.6 / numpy 1.26.4", {"spacy": "3.7.6", "numpy": "1.26.4"}),
        ("安装结果：`spacy 3.7.6` + `torch 2.4.1+cu121`。", {"spacy": "3.7.6"}),
        ("Both are installed now: torch 2.4.1, spacy 3.7.6", {"spacy": "3.7.6"}),
    ],
)  # fmt: skip
def test_packages_beside_known_ones(text: str, packages: dict[str, str]) -> None:
    assert read_packages(text) == packages


@pytest.mark.parametrize(
    "text",
    [
        "spacy 3.7.6\nthinc 8.2.5\nblis 0.7.11",
        "Requires torch 2.4.1, spacy 3.7.6, numpy 1.26.4",
        "Tested with torch 2.4.1, spacy 3.7.6 and numpy 1.26.4.",
        "Please install torch 2.4.1, spacy 3.7.6 and numpy 1.26.4.",
        "It works with torch 2.4.1, spacy 3.7.6.",
        "Before: torch 2.4.1, spacy 3.7.6",
        "torch 2.4.1 -> 2.5.1, spacy 3.7.6",
        "Requirements:\n- torch: 2.4.1\n- numpy: 1.26.4\n- spacy: 3.7.6",
        "torch>=2.4.1\nspacy>=3.7.6\nnumpy>=1.26.4",
        "pip install torch==2.4.1 spacy==3.7.6 numpy==1.26.4",
        "torch 2.4.1 or newer\nnumpy 1.26.4 or newer\nspacy 3.7.6 or newer",
        "    PyTorch 2.3.0+cu121 with CUDA 1201 (you have 2.4.0+cu121)",
        "epoch 1.5, loss 0.24.1, torch.float 3.2.1",
    ],
)
def test_no_packages(text: str) -> None:
    assert read_packages(text) == {}


def test_what_is_no_package() -> None:
    text = "torch: 2.4.1\nnumpy: 1.26.4\nCUDA: 12.1\nNode: 20.11.0\nWindows: 10.0.22631\nPython: 3.10.6"
    assert read_packages(text) == {"numpy": "1.26.4"}
