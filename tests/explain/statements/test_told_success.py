"""Where a person says that the program works, what a line of its log shows is not certain."""

import pytest

from torchdoctor import explain

LINES = {
    "msvc": "INFO: Could not find files for the given pattern(s).",
    "triton": "Failed to find MSVC.\nFailed to find Windows SDK.\nFailed to find CUDA.",
    "redist": "Microsoft Visual C++ Redistributable is not installed, this may lead to the DLL load failure.",
    "pin-memory": "UserWarning: 'pin_memory' argument is set as true but no accelerator is found, then device pinned"
    " memory won't be used.",
    "numpy": "RuntimeWarning: numpy.ufunc size changed, may indicate binary incompatibility."
    " Expected 192 from C header, got 216 from PyObject",
}
WORKS = (
    "import torch ok",
    "ComfyUI starts and generates. torch 2.7.1+cu128",
    "(it works but prints that)",
    "torch 2.6.0+cpu, laptop without GPU, training runs",
    "training starts fine",
)
FAILS = (
    "Why does it not work?",
    "It works on Linux, here it does not.",
    "The training is slow.",
    "For two days everything was fine.",
    "It fails to start.",
    "The PC restarts as soon as the training starts.",
    "On the Linux server it is fine.",
    "None of it works.",
    "It never works.",
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("works", WORKS)
def test_nothing_is_recognised_where_all_works(line: str, works: str) -> None:
    explanation = explain(f"{LINES[line]}\n{works}\n")
    assert not explanation.recognised or explanation.diagnoses[0].name == "vc-redist-check-false-positive"


@pytest.mark.parametrize("fails", FAILS)
def test_complaint_is_answered(fails: str) -> None:
    assert explain(f"{LINES['redist']}\n{fails}\n").recognised


def test_error_is_answered() -> None:
    text = "AssertionError: Torch not compiled with CUDA enabled\nEverything else works fine\n"
    assert explain(text).recognised


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "On Windows 11 the loop in my notebook freezes if num_workers is above 0. With 0 it works.",
            "worker-spawn-failed",
        ),
        (
            "RTX 5080: while pictures are generated both monitors go black, and after some minutes the PC resets. Without the second screen it is fine.",
            "gpu-driver-reset",
        ),
        (
            "The program works but dont use my card.\nerror: argument --execution-provider: invalid choice: 'cuda' (choose from 'dml', 'cpu')",
            "onnxruntime-cuda-provider",
        ),
    ],
    ids=["with", "without", "error"],
)
def test_what_works_under_a_condition_is_no_success(text: str, name: str) -> None:
    explanation = explain(text)
    assert explanation.recognised and explanation.diagnoses[0].name == name
