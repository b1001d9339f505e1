"""Steps that what a text shows rules out are left out."""

import pytest

from torchdoctor.knowledge.bodies import Step
from torchdoctor.knowledge.fitting import keep_fitting

CUDA = "python -m pip install torch --index-url https://download.pytorch.org/whl/cu126"
KEPT = "python -m pip install torch==2.6.0 --index-url https://download.pytorch.org/whl/{build_index|cu126}"
INDEX = "python -m pip install torch --index-url https://download.pytorch.org/whl/{index|cu126}"
XPU = "python -m pip install torch --index-url https://download.pytorch.org/whl/xpu"
DIRECTML = "python -m pip install onnxruntime-directml"
OTHER_EDITION = "python -m pip uninstall -y onnxruntime onnxruntime-directml"
CONDA = "conda install openssl"
PLAIN = "python -m pip check"
UPDATE = 'python -m pip install --upgrade {package|PACKAGE} "torch=={torch_release|2.6.0}"'


def write_step(*commands: str) -> Step:
    lines = "\n".join(f"   {command}" for command in commands)
    return Step(f"Do it:\n\n   ```powershell\n{lines}\n   ```\n", "")


@pytest.mark.parametrize(
    ("commands", "values", "stays"),
    [
        ((CUDA,), {"maker": "amd"}, False),
        ((CUDA,), {"maker": "nvidia"}, True),
        ((CUDA,), {}, True),
        ((XPU,), {"maker": "nvidia"}, False),
        ((XPU,), {"maker": "intel"}, True),
        ((CUDA, XPU), {"maker": "intel"}, True),
        ((DIRECTML,), {"maker": "nvidia"}, False),
        ((OTHER_EDITION,), {"maker": "nvidia"}, True),
        ((KEPT,), {"maker": "amd"}, False),
        ((KEPT,), {"maker": "amd", "build_index": "cpu"}, True),
        ((INDEX,), {"maker": "amd"}, False),
        ((INDEX,), {"maker": "amd", "index": "cu128"}, False),
        ((INDEX,), {"maker": "nvidia", "index": "cu128"}, True),
        ((PLAIN,), {"maker": "amd"}, True),
        ((CONDA,), {"python": r"C:\work\venv\Scripts\python.exe"}, False),
        ((CONDA,), {"python": r"C:\x\python_embeded\python.exe"}, False),
        ((CONDA,), {"python": r"C:\Users\x\miniconda3\envs\a\python.exe"}, True),
        ((CONDA,), {"python": r"D:\Anaconda\envs\python373\python.exe"}, True),
        ((CONDA,), {"python": r"D:\Python37\python.exe"}, False),
        ((CONDA,), {}, True),
        ((UPDATE,), {"package": "mmcv"}, False),
        ((UPDATE,), {"package": "onnxruntime"}, False),
        ((UPDATE,), {"package": "diffusers"}, True),
        ((UPDATE,), {}, True),
        ((CONDA, PLAIN), {"python": r"C:\work\venv\Scripts\python.exe"}, True),
    ],
)
def test_step_stays_where_it_can_apply(
    commands: tuple[str, ...], values: dict[str, str], stays: bool
) -> None:
    steps = (write_step(*commands), write_step(PLAIN))
    assert (steps[0] in keep_fitting(steps, values)) == stays


def test_all_steps_stay_where_none_would_be_left() -> None:
    steps = (write_step(CUDA), write_step(XPU, CUDA))
    assert keep_fitting(steps, {"maker": "amd"}) == steps


def test_step_without_a_command_stays() -> None:
    step = Step("Restart Windows.", "")
    assert step in keep_fitting((step, write_step(CUDA)), {"maker": "amd"})
