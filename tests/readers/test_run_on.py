"""Reports and lists of packages in the layouts in which people paste them: in lines, in one line, as a mapping."""

import json

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic

Value = tuple[Topic, str, str]

TORCH, CUDA = (Topic.TORCH, "", "2.1.0+cu121"), (Topic.TORCH_CUDA, "", "12.1")
PYTHON = (Topic.PYTHON, "", "3.10.6")
CARD = (Topic.GPU, "0", "NVIDIA GeForce RTX 3060")
AVAILABLE = (Topic.CUDA_AVAILABLE, "", "yes")
WINDOWS = (Topic.SYSTEM, "", "windows")
NUMPY, VISION = (Topic.PACKAGE, "numpy", "1.26.4"), (Topic.PACKAGE, "torchvision", "0.16.0+cu121")
BANNER = "3.10.6 (tags/v3.10.6:9c7b4bd, Aug  1 2022, 21:53:49) [MSC v.1932 64 bit (AMD64)]"

REPORTS: dict[str, tuple[str, list[Value]]] = {
    "collect_env": (
        f"PyTorch version: 2.1.0+cu121\nIs debug build: False\nCUDA used to build PyTorch: 12.1\n"
        f"ROCM used to build PyTorch: N/A\nOS: Microsoft Windows 11 Pro\nPython version: {BANNER}\n"
        "Is CUDA available: True\nGPU models and configuration: GPU 0: NVIDIA GeForce RTX 3060\n"
        "Nvidia driver version: 551.23\nVersions of relevant libraries:\n[pip3] numpy==1.26.4\n"
        "[pip3] torch==2.1.0+cu121\n[pip3] torchvision==0.16.0+cu121\n[conda] Could not collect",
        [TORCH, CUDA, PYTHON, CARD, AVAILABLE, WINDOWS, NUMPY, VISION, (Topic.DRIVER, "", "551.23")],
    ),
    "mmcv": (
        f"sys.platform: win32\nPython: {BANNER}\nCUDA available: True\nGPU 0: NVIDIA GeForce RTX 3060\n"
        "CUDA_HOME: C:\\CUDA\\v12.1\nNVCC: Cuda compilation tools, release 12.1, V12.1.66\nGCC: n/a\n"
        "PyTorch: 2.1.0+cu121\nPyTorch compiling details: PyTorch built with:\nTorchVision: 0.16.0+cu121\n"
        "OpenCV: 4.8.1\nMMCV: 2.1.0",
        [TORCH, CUDA, PYTHON, CARD, AVAILABLE, WINDOWS, VISION, (Topic.TOOLKIT, "", "12.1")],
    ),
    "detectron2": (
        f"sys.platform  win32\nPython  {BANNER}\nnumpy  1.26.4\ndetectron2  0.6 @C:\\env\\detectron2\n"
        "Compiler  MSVC 193732824\nCUDA compiler  CUDA 12.1\ndetectron2 arch flags  8.6\n"
        "DETECTRON2_ENV_MODULE  <not set>\nPyTorch  2.1.0+cu121 @C:\\env\\torch\nPyTorch debug build  False\n"
        "GPU available  Yes\nGPU 0  NVIDIA GeForce RTX 3060 (arch=8.6)\nDriver version  551.23\n"
        "torchvision  0.16.0+cu121 @C:\\env\\torchvision\nfvcore  0.1.5\niopath  0.1.9",
        [TORCH, CUDA, PYTHON, CARD, AVAILABLE, WINDOWS, NUMPY, VISION, (Topic.TOOLKIT, "", "12.1"),
         (Topic.GPU_CAPABILITY, "0", "8.6"), (Topic.PACKAGE, "detectron2", "0.6"), (Topic.DRIVER, "", "551.23")],
    ),
    "transformers": (
        "- `transformers` version: 4.31.0\n- Platform: Windows-10-10.0.22621-SP0\n- Python version: 3.10.6\n"
        "- Huggingface_hub version: 0.16.4\n- PyTorch version (GPU?): 2.1.0+cu121 (True)\n- Using GPU in script?: yes",
        [TORCH, CUDA, PYTHON, AVAILABLE, WINDOWS, (Topic.PACKAGE, "transformers", "4.31.0")],
    ),
    "lightning": (
        "* CUDA:\n    - GPU:\n        - NVIDIA GeForce RTX 3060\n    - available: True\n    - version: 12.1\n* Packages:\n"
        "    - numpy: 1.26.4\n    - torch: 2.1.0+cu121\n* System:\n    - OS: Windows\n    - architecture:\n        - 64bit\n"
        "        - WindowsPE\n    - python: 3.10.6\n    - version: 10.0.22621",
        [TORCH, CUDA, PYTHON, CARD, AVAILABLE, WINDOWS, NUMPY, (Topic.PYTHON_BITS, "", "64")],
    ),
    "comfyui": (
        f"Total VRAM 12288 MB, total RAM 32684 MB\npytorch version: 2.1.0+cu121\nxformers version: 0.0.22\n"
        f"Set vram state to: NORMAL_VRAM\nDevice: cuda:0 NVIDIA GeForce RTX 3060 : native\nPython version: {BANNER}",
        [TORCH, CUDA, PYTHON, CARD, AVAILABLE, WINDOWS, (Topic.PACKAGE, "xformers", "0.0.22")],
    ),
    "pip list": (
        "Package Version\n----------- ------------\nnumpy 1.26.4\nPillow 9.5.0\ntorch 2.1.0+cu121\ntorchvision 0.16.0+cu121",
        [TORCH, CUDA, NUMPY, VISION],
    ),
    "pip freeze": (
        "certifi==2023.7.22\nfilelock==3.9.0\nidna==3.4\nJinja2==3.1.2\nnumpy==1.26.4\nPillow==9.3.0\ntorch==2.1.0+cu121\n"
        "torchvision==0.16.0+cu121\ntyping_extensions==4.4.0",
        [TORCH, CUDA, NUMPY, VISION],
    ),
    "conda list": (
        "# Name Version Build Channel\nblas 1.0 mkl\nintel-openmp 2023.1.0 h59b6b97_46320\nmkl 2020.0 166\n"
        "numpy 1.26.4 py310h055cbcc_0\nninja 1.9.0 py310h74a9793_0\npytorch 2.1.0 py3.10_cuda12.1_cudnn8_0 pytorch\n"
        "torchvision 0.16.0 py310_cu121 pytorch",
        [(Topic.TORCH, "", "2.1.0"), CUDA, (Topic.PYTHON, "", "3.10"), (Topic.CONDA_PACKAGE, "mkl", "2020.0 166"),
         (Topic.CONDA_PACKAGE, "intel-openmp", "2023.1.0 h59b6b97_46320")],
    ),
}  # fmt: skip


def read(text: str) -> set[Value]:
    return {
        (statement.topic, statement.subject, statement.value)
        for environment in read_environment(text)
        for statement in environment.statements
    }


@pytest.mark.parametrize("joint", ["\n", " ", "  ", "\r\n", "<br>"])
@pytest.mark.parametrize("name", REPORTS)
def test_reports_with_and_without_line_ends(name: str, joint: str) -> None:
    report, values = REPORTS[name]
    text = report if joint == "\n" else joint.join(line.strip() for line in report.split("\n"))
    assert not set(values) - read(text)


MAPPING = {
    "sys.platform": "win32",
    "Python": BANNER,
    "CUDA available": True,
    "GPU 0": "NVIDIA GeForce RTX 3060",
    "CUDA_HOME": None,
    "PyTorch": "2.1.0+cu121",
    "TorchVision": "0.16.0+cu121",
}


@pytest.mark.parametrize(
    "text", [str(MAPPING), repr(list(MAPPING.items())), f"env: OrderedDict({list(MAPPING.items())})"]
)
def test_mappings_of_python(text: str) -> None:
    assert not {TORCH, CUDA, PYTHON, CARD, AVAILABLE, WINDOWS, VISION} - read(text)


PARTS = {
    "CUDA": {"GPU": ["NVIDIA GeForce RTX 3060"], "available": True, "version": "12.1"},
    "Packages": {"PyTorch_debug": False, "PyTorch_version": "2.1.0+cu121", "TTS": "0.6.2", "numpy": "1.26.4"},
    "System": {"OS": "Windows", "architecture": ["64bit", "WindowsPE"], "python": "3.10.6", "version": "10.0.22621"},
}  # fmt: skip
TABS = """cuda:
\tGPU:
\t\tNVIDIA GeForce RTX 3060
\tavailable:           True
\tversion:             12.1
packages:
\tnumpy:               1.26.4
\tpyTorch_debug:       False
\tpyTorch_version:     2.1.0+cu121
\tTTS:                 0.6.2
system:
\tOS:                  Windows
\tarchitecture:
\t\t64bit
\t\tWindowsPE
\tpython:              3.10.6
\tversion:             10.0.22621
"""


@pytest.mark.parametrize(
    "text", [TABS, json.dumps(PARTS), json.dumps(PARTS, indent=4), json.dumps(PARTS, indent=2)]
)
def test_parts_of_lightning(text: str) -> None:
    expected = {
        TORCH,
        CUDA,
        PYTHON,
        CARD,
        AVAILABLE,
        WINDOWS,
        NUMPY,
        (Topic.PYTHON_BITS, "", "64"),
        (Topic.PACKAGE, "tts", "0.6.2"),
    }
    assert not expected - read(text)


@pytest.mark.parametrize("bar", [" | ", "   |   ", "|"])
def test_lists_of_conda_in_a_table(bar: str) -> None:
    report, values = REPORTS["conda list"]
    rows = [line.removeprefix("# ").split() for line in report.split("\n")]
    lines = [bar.join(row) + bar.rstrip() for row in (rows[0], ["---"] * 4, *rows[1:])]
    assert not set(values) - read("\n".join(lines))


def test_an_empty_list_of_cards_is_no_card() -> None:
    text = json.dumps(PARTS | {"CUDA": {"GPU": [], "available": False, "version": None}}, indent=4)
    found = read(text)
    assert (Topic.CUDA_AVAILABLE, "", "no") in found
    assert not {topic for topic, _, _ in found} & {Topic.GPU}


@pytest.mark.parametrize(
    "text",
    [
        "You can pass the options - name: the name of the run - path: a folder - size: 3 - device: cuda:0 and so on.",
        "torch 2.1.0 requires sympy 1.12 and networkx 3.1, so please install numpy 1.26.4 with them, and nothing else.",
    ],
)
def test_sentences_are_no_reports(text: str) -> None:
    assert not {TORCH, NUMPY} & read(text)
