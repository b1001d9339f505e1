"""The one command that says most of what a text leaves open."""

import pytest

from torchdoctor import read_environment
from torchdoctor.readers.questions import Part, Question, ask

WHOLE = (
    "PyTorch version: 2.1.0+cu121\nIs debug build: False\nOS: Microsoft Windows 11 Pro\nPython version: 3.10.6\n"
    "GPU models and configuration: GPU 0: NVIDIA GeForce RTX 3060\nNvidia driver version: 546.33\n[pip3] numpy==1.26.4\n"
)


def ask_of(text: str, *parts: Part, imports_torch: bool = True) -> Question | None:
    (environment,) = read_environment(text)
    return ask(environment, parts or tuple(Part), imports_torch=imports_torch)


def test_nothing_is_asked_of_a_whole_report() -> None:
    assert ask_of(WHOLE) is None


@pytest.mark.parametrize(
    ("left_out", "command", "unknown"),
    [
        ("Nvidia driver version: 546.33\n", "nvidia-smi", "the version of the GPU's driver"),
        ("Python version: 3.10.6\n", "python -VV", Part.PYTHON.value),
        ("[pip3] numpy==1.26.4\n", "python -m pip list", Part.PACKAGES.value),
        ("PyTorch version: 2.1.0+cu121\n", "python -m torch.utils.collect_env", Part.TORCH.value),
    ],
)
def test_one_part_is_asked_for_with_its_own_command(left_out: str, command: str, unknown: str) -> None:
    assert ask_of(WHOLE.replace(left_out, "")) == Question(unknown, command)


def test_several_parts_are_asked_for_at_once() -> None:
    question = ask_of("torch 2.1.0+cu121 on win11")
    assert question is not None
    assert question.command == "python -m torch.utils.collect_env"
    assert (
        question.unknown
        == "the version of Python, the GPU and the version of its driver and the other packages"
    )


def test_a_torch_that_cannot_be_imported_is_not_asked() -> None:
    question = ask_of("python 3.10 on win11", Part.TORCH, Part.PACKAGES, imports_torch=False)
    assert question == Question(
        "the version and the build of torch and the other packages", "python -m pip list"
    )


def test_only_what_is_left_open_is_named() -> None:
    question = ask_of("PyTorch version: 2.1.0", Part.TORCH)
    assert question is not None and question.unknown == "the build of torch"


def test_a_version_without_its_build_is_not_enough() -> None:
    assert ask_of("PyTorch version: 2.1.0", Part.TORCH) is not None
    assert ask_of("PyTorch version: 2.1.0+cpu", Part.TORCH) is None
    assert ask_of("ModuleNotFoundError: No module named 'torch'", Part.TORCH) is None


def test_without_an_environment_all_is_asked_for() -> None:
    assert ask(None) is not None
    assert ask(None, ()) is None


def test_values_for_fixes() -> None:
    (environment,) = read_environment(WHOLE)
    assert environment.list_values() == {
        "torch_version": "2.1.0+cu121",
        "cuda_version": "12.1",
        "python_version": "3.10.6",
        "driver_version": "546.33",
        "sm": "sm_86",
    }
    (environment,) = read_environment("PyTorch version: 2.1.0+cpu\nGPU 0 CUDA capability (maj.min): 8.6")
    assert environment.list_values() == {
        "torch_version": "2.1.0+cpu",
        "cpu_build": "yes",
        "sm": "sm_86",
    }
    (environment,) = read_environment(
        "ModuleNotFoundError: No module named 'torch'\nPython 3.10.6 on Windows"
    )
    assert "torch_version" not in environment.list_values()
