"""What is read from each sample, and from texts whose facts were labelled before the readers saw them.

    TORCHDOCTOR_ANSWERS=write python -m pytest tests/readers/test_samples.py

writes what is read from the samples to tests/answers/readers. The labelled texts were written after public
threads by somebody who had not seen the readers.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from torchdoctor import read_environment
from torchdoctor.check import Check
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.texts import examine_environment
from torchdoctor.readers import Environment, Statement, Topic
from torchdoctor.readers.table import FORMATS

FOLDER = Path(__file__).parents[1] / "samples" / "readers"
CASES = [json.loads(line) for line in (FOLDER / "labelled.jsonl").read_text(encoding="utf-8").splitlines()]
REGISTRY = load_registry()
CHECKS: Sequence[Check] = [
    check for check in REGISTRY.checks if not REGISTRY.knowledge.entries[check.name].reads_code
]
TOPICS = {
    "os": Topic.SYSTEM,
    "windows_build": Topic.WINDOWS_BUILD,
    "python": Topic.PYTHON,
    "python_bits": Topic.PYTHON_BITS,
    "python_executable": Topic.PYTHON_EXECUTABLE,
    "torch": Topic.TORCH,
    "torch_cuda": Topic.TORCH_CUDA,
    "capability": Topic.GPU_CAPABILITY,
    "driver": Topic.DRIVER,
    "driver_cuda": Topic.DRIVER_CUDA,
    "driver_model": Topic.GPU_MODEL,
    "nvcc": Topic.TOOLKIT,
}
# Stated only as the name of a wheel that was installed, or by a number with no word for what it is.
NOT_READ = {
    "t19": {"python", "python_bits", "torch", "torch_cuda"},
    "t20": {"compel"},
    "t21": {"python"},
    "t23": {"5060 Ti"},
}
# NumPy 2 on Linux, which the check leaves alone, and a card that only a sentence about a change names.
NOT_FOUND = {"t23": {"unsupported-gpu-arch"}, "t29": {"numpy-abi-mismatch"}}


def describe(environments: Sequence[Environment]) -> Iterator[str]:
    for number, environment in enumerate(environments, 1):
        for each in environment.statements:
            by_hand = "" if each.is_printed else " by hand"
            yield f"{number} line {each.line}{by_hand} {each.reader}: {each.label} = {each.value}"
        for conflict in environment.conflicts:
            yield f"{number} conflict: {conflict.describe()}"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_statements_of_a_sample(file: Path, compare_answers: Callable[[str, Sequence[str]], None]) -> None:
    lines = list(describe(read_environment(file.read_bytes())))
    compare_answers(f"readers/{file.stem}", lines)


def test_every_format_has_a_sample() -> None:
    texts = [file.read_text(encoding="utf-8") for file in FOLDER.glob("*.txt")]
    texts += [case["text"] for case in CASES]
    readers = {
        statement.reader
        for text in texts
        for environment in read_environment(text)
        for statement in environment.statements
    }
    modules = {file.stem for file in (Path(__file__).parents[2] / "torchdoctor/readers/formats").glob("*.py")}
    assert modules - {"__init__"} == {each.module for each in FORMATS}
    names = {reader.replace("-", "_") for reader in readers}
    lists = {"pip_list", "pip_freeze", "conda_list", "conda_info"}
    assert {each.module for each in FORMATS} - names <= {"package_lists"}
    assert names & lists


def agree(name: str, stated: object, read: str) -> bool:
    if name in ("torch", "python", "driver", "nvcc"):
        return read.startswith(str(stated)) or str(stated).startswith(read)
    return read.lower() == str(stated).lower()


def name_card(name: str) -> str:
    for word in ("nvidia", "geforce", "laptop gpu", " ", "-"):
        name = name.lower().replace(word, "")
    return name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_reads_what_a_text_states(case: dict[str, object]) -> None:
    facts = dict(case["facts"])  # type: ignore[call-overload]
    not_read = NOT_READ.get(str(case["id"]), set())
    statements: list[Statement] = [
        statement
        for environment in read_environment(str(case["text"]))
        for statement in environment.statements
    ]
    for name, topic in TOPICS.items():
        read = [statement.value for statement in statements if statement.topic is topic]
        if name not in facts:
            continue
        if name in not_read:
            assert read == [], name
        else:
            assert any(agree(name, facts[name], value) for value in read), (name, facts[name], read)
    cards = [name_card(statement.value) for statement in statements if statement.topic is Topic.GPU]
    for card in facts.get("gpus", ()):
        is_read = any(name_card(card) in each or each in name_card(card) for each in cards)
        assert is_read or card in not_read or "UHD" in card, (card, cards)
    packages = {
        statement.subject.lower().replace("_", "-"): statement.value
        for statement in statements
        if statement.topic in (Topic.PACKAGE, Topic.CONDA_PACKAGE)
    }
    for name, version in facts.get("packages", {}).items():
        read_version = packages.get(name.lower().replace("_", "-")) or packages.get(f"{name}-python")
        assert name in not_read or str(read_version).startswith(str(version)), (name, version, read_version)


def find_failed(text: str) -> set[str]:
    return {
        outcome.name
        for environment in read_environment(text)
        for outcome in examine_environment(environment, CHECKS, REGISTRY.knowledge).outcomes
        if outcome.status == "failed"
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_checks_fail_on_what_a_text_states(case: dict[str, object]) -> None:
    failed = find_failed(str(case["text"]))
    expected = set(case["fails"])  # type: ignore[call-overload]
    assert expected - failed == NOT_FOUND.get(str(case["id"]), set())
    # torch 2.3.1 and 2.4.0 need a DLL that many machines have: a warning that a labeller may leave out.
    assert failed - expected <= {"known-broken-torch-release"}


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (
            "NVIDIA GeForce RTX 5070 Ti with CUDA capability sm_120 is not compatible with the current PyTorch installation.",
            "unsupported-gpu-arch",
        ),
        ("UserWarning: The NVIDIA driver on your system is too old (found version 11040).", "driver-too-old"),
        ("Windows 11, torch 2.3.1 and torchvision 0.15.2", "torchvision-mismatch"),
    ],
)  # fmt: skip
def test_what_torch_itself_says_needs_no_version(text: str, entry: str) -> None:
    assert entry in find_failed(text)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        # The kernel may be one of another package.
        ("RTX 3060\nCUDA error: no kernel image is available for execution on the device", "unsupported-gpu-arch"),
        # The warning is that of an earlier torch.
        (
            "NVIDIA GeForce RTX 5070 with CUDA capability sm_120 is not compatible with the current PyTorch installation.\n"
            "torch 2.10.0+cu128, torchvision 0.25.0+cu128",
            "unsupported-gpu-arch",
        ),
        # Only torch names its architectures, and not whether it can use the card.
        (
            "GPU: NVIDIA GeForce RTX 3060\ntorch: 2.5.1+cu121\n"
            "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.",
            "cuda-not-available",
        ),
        (
            "  × Getting requirements to build wheel did not run successfully.\nModuleNotFoundError: No module named 'torch'",
            "torch-not-installed",
        ),
    ],
)  # fmt: skip
def test_what_a_text_does_not_prove(text: str, entry: str) -> None:
    assert entry not in find_failed(text)
