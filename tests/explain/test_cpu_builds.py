"""A torch without CUDA is answered with a step that brings one, whatever else the text says."""

from itertools import product

import pytest

from torchdoctor import explain

ERROR = "AssertionError: Torch not compiled with CUDA enabled"
CARDS = ("", "My card is an RTX 4090.", "GPU: NVIDIA GeForce RTX 5080", "GTX 1060, driver 551.86", "sm_86")
PLACES = (
    "",
    '  File "D:\\app\\venv\\lib\\site-packages\\torch\\cuda\\__init__.py", line 239, in _lazy_init',
    '  File "C:\\Users\\me\\anaconda3\\envs\\tts\\lib\\site-packages\\torch\\cuda\\__init__.py", line 289, in _lazy_init',
    '  File "D:\\portable\\python_embeded\\Lib\\site-packages\\torch\\cuda\\__init__.py", line 310, in _lazy_init',
)
PROGRAMS = ("", "ComfyUI", "stable-diffusion-webui", "OneTrainer", "whisper", "Langchain-Chatchat")
VERSIONS = ("", "torch 2.5.1+cpu", "Python 3.10.6", "Successfully installed torch-2.7.1")
INSTALLS = (
    "pip install",
    "'install'",
    "--reinstall-torch",
    "update",
    "install its torch again",
    "installer",
    "Get a torch",
)


@pytest.mark.parametrize(("place", "program"), product(PLACES, PROGRAMS))
def test_some_first_step_brings_a_torch_with_cuda(place: str, program: str) -> None:
    for card, version in product(CARDS, VERSIONS):
        text = "\n".join(filter(None, ("Windows 11", program, version, card, place, ERROR)))
        (first, *_) = explain(text).diagnoses
        assert first.name == "cpu-only-build", text
        assert any(each in step for step in first.fix[:2] for each in INSTALLS), (text, first.fix)
