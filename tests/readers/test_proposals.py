"""What a program proposes, and what it gives as an example, is no fact of the machine."""

from collections.abc import Callable

import pytest

from torchdoctor import read_environment
from torchdoctor.explain import Explanation
from torchdoctor.readers.proposals import clear_proposals

PROPOSALS = {
    "bitsandbytes": "try again with `make CUDA_VERSION=DETECTED` for example, `make CUDA_VERSION=113`.",
    "a variable": r"Please set CUDA_HOME, for example: set CUDA_HOME=C:\Program Files\CUDA\v11.8",
    "a wheel": "flash_attn is absent. For example: pip install flash_attn-2.7.4+cu126torch2.6.0-cp311-cp311-win_amd64.whl",
    "such as": "Please use a wheel such as nunchaku-1.0.0+torch2.7-cp311-cp311-win_amd64.whl",
    "a pin": "Please install torch: pip install torch==2.1.2 --index-url https://download.pytorch.org/whl/cu118",
    "a program that advises": "install stable pytorch with: pip install torch==2.4.0 --index-url https://download.pytorch.org/whl/cu121",
    "conda": "Try: conda create -n env python=3.9 ; conda install pytorch==1.12.1 cudatoolkit=11.3",
    "what one can install": "You can install it by `conda install pytorch-cuda=11.8 pytorch=2.0.1`",
    "help": r"  --python PATH  the Python to use, e.g. C:\Python310\python.exe",
    "Chinese": "可以安装其他版本，例如：pip install torch==2.0.1+cu118",
    "German": "Zum Beispiel: pip install torch==2.0.1+cu118",
    "Spanish": "por ejemplo: pip install torch==2.0.1+cu118",
    "a line of a report": "For example: PyTorch version: 2.1.0+cu118",
    "a pair of versions": "Name the releases, e.g. torch 2.1.0 with CUDA 11.8",
    "versions in Chinese": "例如：torch 2.0.1+cu118",
}
OF_A_MACHINE = {
    "torch_version",
    "cuda_version",
    "python_version",
    "python",
    "toolkit",
    "conda_torch",
    "conda_cuda",
}


@pytest.mark.parametrize("text", PROPOSALS.values(), ids=PROPOSALS)
def test_no_value_from_a_proposal(text: str, explain_sample: Callable[[str], Explanation]) -> None:
    assert not OF_A_MACHINE & set(explain_sample(text).values)


@pytest.mark.parametrize("text", PROPOSALS.values(), ids=PROPOSALS)
def test_no_statement_from_a_proposal(text: str) -> None:
    assert not [
        each for found in read_environment(text) for each in found.statements if each.topic.name != "SYSTEM"
    ]


FACTS = {
    "pip writes its Python": r"To update, run: C:\Python311\python.exe -m pip install --upgrade pip",
    "uv writes its Python": "no wheels with a matching Python ABI tag (e.g., `cp312`)",
    "what is there": "PyTorch 2.1.0, please install the newest driver",
    "the next sentence": "Please upgrade your Python. Looking in indexes: https://download.pytorch.org/whl/cu113",
    "a card": "If you want to use the NVIDIA GeForce RTX 5090 GPU with PyTorch, please check the instructions",
}


@pytest.mark.parametrize("text", FACTS.values(), ids=FACTS)
def test_facts_beside_a_proposal_stay(text: str) -> None:
    assert clear_proposals(text) == text
