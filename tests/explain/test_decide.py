"""What the checks say of the environment in a text decides beside the symptoms of its error."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import Confidence, Explanation, explain
from torchdoctor.readers import Topic

KNOWLEDGE, _ = load_knowledge()
ENVIRONMENT = """
PyTorch version: {torch}
Is debug build: False
OS: Microsoft Windows 11 Pro (10.0.22631 64-bit)
Python version: 3.11.9 (tags/v3.11.9:de54cf5, Apr  2 2024, 10:12:12) [MSC v.1938 64 bit (AMD64)] (64-bit runtime)
GPU models and configuration: GPU 0: {gpu}
Nvidia driver version: {driver}
"""
UNKNOWN = "Traceback (most recent call last):\nRuntimeError: CUDA error: unknown error\n"


def answer(text: str) -> Explanation:
    return explain(text, KNOWLEDGE)


def describe(torch: str = "2.8.0+cu128", gpu: str = "NVIDIA GeForce RTX 3060", driver: str = "572.83") -> str:
    return ENVIRONMENT.format(torch=torch, gpu=gpu, driver=driver)


def test_the_environment_shows_the_cause_of_a_vague_error() -> None:
    (first,) = answer(UNKNOWN + describe(driver="512.15")).diagnoses
    assert first.name == "driver-too-old"
    assert "unknown error" in first.echoes[0]
    assert (first.confirmed, first.examined) == (True, "text")
    assert {each.line for each in first.evidence} == {4, 9}


def test_a_good_environment_adds_nothing() -> None:
    explanation = answer(UNKNOWN + describe())
    assert [each.name for each in explanation.diagnoses] == ["cuda-unknown-error"]


def test_an_error_of_another_kind_is_not_explained_by_the_environment() -> None:
    text = "Traceback (most recent call last):\nKeyError: 'layer1.weight'\n" + describe(driver="512.15")
    explanation = answer(text)
    assert not explanation.recognised
    assert "driver-too-old" not in [each.name for each in explanation.diagnoses]


@pytest.mark.parametrize(
    "error",
    [
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "RuntimeError: CUDA error: device-side assert triggered",
        "AttributeError: 'NoneType' object has no attribute 'shape'",
    ],
)
def test_an_error_of_the_program_is_not_that_of_its_driver(error: str) -> None:
    text = (
        f"Traceback (most recent call last):\n{error}\n" + describe(driver="512.15") + "[pip3] numpy==2.1.0\n"
    )
    explanation = answer(text)
    assert "driver-too-old" not in [each.name for each in explanation.diagnoses]


def test_a_failed_check_makes_a_diagnosis_surer() -> None:
    error = "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
    alone = answer(error).diagnoses[0]
    confirmed = answer(error + describe("2.6.0+cu124", "NVIDIA GeForce RTX 5090")).diagnoses[0]
    assert alone.name == confirmed.name == "unsupported-gpu-arch"
    assert (alone.confirmed, confirmed.confirmed) == (None, True)
    assert confirmed.confidence is Confidence.CERTAIN


def test_a_passed_check_makes_a_diagnosis_less_sure() -> None:
    error = "The NVIDIA driver may be too old for this.\nRuntimeError: CUDA driver initialization failed\n"
    names = {each.name: each for each in answer(error + describe()).diagnoses}
    assert names.get("driver-too-old") is None or names["driver-too-old"].confidence is Confidence.POSSIBLE


def test_the_first_step_is_that_of_the_finding() -> None:
    first = answer(UNKNOWN + describe(driver="512.15")).diagnoses[0]
    assert first.fix[0].startswith("Update the driver")
    assert len(set(first.fix)) == len(first.fix)


def test_what_a_person_writes_makes_nothing_certain() -> None:
    explanation = answer("win11, RTX 5090, torch 2.4.1+cu121\nRuntimeError: CUDA error: unknown error\n")
    assert all(each.confirmed is None for each in explanation.diagnoses)


@pytest.mark.parametrize(
    ("driver", "first"), [("560.94", "driver-too-old"), ("591.44", "cuda-not-available")]
)
def test_what_a_person_writes_can_be_the_cause_of_what_the_text_shows(driver: str, first: str) -> None:
    table = f"| NVIDIA-SMI {driver}      Driver Version: {driver}      CUDA Version: 12.6     |"
    text = f"torch.cuda.is_available() returns False, torch 2.9.1+cu130, Windows 11\n{table}"
    diagnosis = answer(text if driver < "580" else text.replace("12.6", "13.1")).diagnoses[0]
    assert (diagnosis.name, diagnosis.confidence, diagnosis.confirmed) == (first, Confidence.LIKELY, None)


def test_two_environments_confirm_only_what_both_show() -> None:
    text = UNKNOWN + describe(driver="512.15") + "\nOn the other machine:\n" + describe("2.7.1+cu126")
    explanation = answer(text)
    assert len(explanation.environments) == 2
    assert explanation.diagnoses[0].name == "cuda-unknown-error"


def test_values_of_the_environment_fill_the_advice() -> None:
    values = answer(UNKNOWN + describe(driver="512.15")).values
    assert (values["torch_version"], values["driver_version"]) == ("2.8.0+cu128", "512.15")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("RuntimeError: CUDA error: unknown error", None),
        ("RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "python -m torch.utils.collect_env"),
        ("RuntimeError: DataLoader worker (pid 1) is killed", None),
        (
            "PyTorch version: 2.1.0+cu121\nRuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED",
            "nvidia-smi",
        ),
    ],
)
def test_an_answer_that_is_not_certain_asks_for_what_decides(text: str, command: str | None) -> None:
    explanation = answer(text)
    first = explanation.diagnoses[0] if explanation.diagnoses else None
    if first is not None and first.confidence is Confidence.CERTAIN:
        command = None
    assert (explanation.question.command if explanation.question else None) == command


def test_the_answer_to_the_question_is_read() -> None:
    text = "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED\n"
    explanation = answer(text + describe())
    assert explanation.question is None
    assert explanation.environments[0].find(Topic.DRIVER) is not None


def test_an_environment_without_an_error() -> None:
    explanation = answer(describe("2.6.0+cu124", "NVIDIA GeForce RTX 5090"))
    assert [each.name for each in explanation.diagnoses] == ["unsupported-gpu-arch"]


def test_a_recognised_problem_is_not_asked_what_decides_the_others() -> None:
    text = (
        "Model base downloaded\nFP16 is not supported on CPU; using FP32 instead\n"
        "[WinError 2] The system cannot find the file specified\n"
        "C:\\demo\\whisper_service\\transcribe.py:113: UserWarning: FP16 is not supported on CPU"
    )
    explanation = explain(text, KNOWLEDGE)
    assert [each.confidence.value for each in explanation.diagnoses] == ["likely", "possible"]
    assert explanation.question is None
