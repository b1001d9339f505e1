"""What a project requires of a machine, judged on the facts of samples."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.facts import (
    Absent,
    CudaTrial,
    Distribution,
    Distributions,
    Facts,
    Interpreter,
    Memory,
    NvidiaDriver,
    TorchInstall,
)
from torchdoctor.facts.codec import read_facts
from torchdoctor.loader.plan import make_plan
from torchdoctor.policy.requirements import REQUIREMENTS, find_unmet, read_requirement

SAMPLES = Path(__file__).parents[1] / "samples"
MACHINE = next((SAMPLES / "machines").glob("16-*.json"))
GIB = 1 << 30


@pytest.fixture(scope="module")
def facts() -> Facts:
    return read_facts(MACHINE).with_values(
        {
            TorchInstall: TorchInstall("2.9.1+cu128", r"C:\t", None, cuda="12.8"),
            CudaTrial: CudaTrial("answered", 1.0, available=True, device_name="RTX 5090", kernel_ran=True),
            NvidiaDriver: NvidiaDriver("working", "581.29", "13.0", ()),
            Distributions: Distributions((Distribution("NumPy", "1.26.4", r"C:\s"),)),
        }
    )


def _judge(facts: Facts, key: str, value: object) -> tuple[list[str], list[str]]:
    outcome = find_unmet(tuple(read_requirement(key, value)), facts, make_plan(facts))
    return [finding.message for finding in outcome.findings], list(outcome.passed)


@pytest.mark.parametrize(
    ("key", "value", "holds"),
    [
        ("torch", ">=2.9", True),
        ("torch", ">=2.9.2", False),
        ("torch", ">=2.9,<2.10", True),
        ("torch", "==2.8.*", False),
        ("torch", "~=2.9.0", True),
        ("torch", "~=2.8", True),
        ("torch", "~=2.8.0", False),
        ("cuda", True, True),
        ("cuda", False, False),
        ("cuda", ">=12.6", True),
        ("cuda", ">=13", False),
        ("driver", ">=580", True),
        ("driver", ">=590", False),
        ("packages", {"numpy": "<2"}, True),
        ("packages", {"numpy": ">=2"}, False),
        ("packages", {"xformers": ">=0"}, False),
        ("workers", 0, True),
        ("workers", 1000, False),
        ("commit-headroom", "1 MB", True),
        ("commit-headroom", "100000 GiB", False),
    ],
)
def test_requirement_holds_or_not(key: str, value: object, holds: bool, facts: Facts) -> None:
    unmet, passed = _judge(facts, key, value)
    assert (len(unmet), len(passed)) == ((0, 1) if holds else (1, 0))


@pytest.mark.parametrize(
    ("key", "value", "change", "message"),
    [
        ("torch", ">=2", {TorchInstall: Absent("torch is not installed")}, "torch >=2; torch is not installed"),
        ("cuda", True, {CudaTrial: Absent("no trial")}, "CUDA; that could not be observed, because no trial"),
        ("driver", ">=5", {NvidiaDriver: Absent("NVML refused")}, "NVIDIA driver >=5; that could not be"),
        (
            "driver", ">=5", {NvidiaDriver: NvidiaDriver("missing", Absent("none"), Absent("none"), ())},
            "NVIDIA driver >=5; the NVIDIA driver is missing",
        ),
        ("packages", {"a": ">1"}, {Distributions: Absent("not read")}, "a >1; that could not be observed"),
        ("python", ">=3", {Interpreter: Absent("not there")}, "Python >=3; that could not be observed"),
        ("commit-headroom", "1 GiB", {Memory: Absent("odd")}, "1 GiB of free commit; that could not be"),
        (
            "cuda", True, {TorchInstall: TorchInstall("2.9.1+cpu", "t", None)},
            "CUDA; this torch is built without CUDA",
        ),
        (
            "cuda", True, {CudaTrial: CudaTrial("answered", 1.0, available=True, kernel_error="no image\nx")},
            "CUDA; torch cannot use CUDA here: no image",
        ),
    ],
)  # fmt: skip
def test_what_is_not_known_does_not_hold(key, value, change, message, facts: Facts) -> None:
    unmet, _ = _judge(facts.with_values(change), key, value)
    assert unmet[0].startswith(f"the project requires {message}")


def test_incomplete_list_of_packages_is_not_known(facts: Facts) -> None:
    some = facts.with_values({Distributions: Distributions((), is_complete=False)})
    assert "could not be observed" in _judge(some, "packages", {"numpy": "<2"})[0][0]


def test_system_without_a_commit_limit_has_headroom(facts: Facts) -> None:
    memory = facts.get(Memory)
    assert isinstance(memory, Memory)
    free = facts.with_values({Memory: replace(memory, commit_limit_enforced=False)})
    assert _judge(free, "commit-headroom", "100000 GiB")[0] == []


def test_headroom_is_what_is_free(facts: Facts) -> None:
    memory = facts.get(Memory)
    assert isinstance(memory, Memory)
    full = replace(
        memory, commit_limit_bytes=20 * GIB, commit_total_bytes=12 * GIB,
        process_commit_available_bytes=Absent("no job"), commit_limit_enforced=True,
    )  # fmt: skip
    exact = facts.with_values({Memory: full})
    assert _judge(exact, "commit-headroom", "8 GiB")[0] == []
    assert _judge(exact, "commit-headroom", "8.001 GiB")[0] == [
        "the project requires 8.001 GiB of free commit; 8.0 GiB of commit are free"
    ]


def test_each_requirement_has_a_step_in_the_entry(knowledge) -> None:
    tags = {step.tag for step in knowledge.entries["unmet-requirement"].body.steps}
    assert set(REQUIREMENTS) <= tags


@pytest.mark.parametrize(
    ("key", "value", "command"),
    [
        # That machine has neither torchvision nor torchaudio.
        ("torch", ">=2.9,<2.12", '"torch>=2.9,<2.12" --index-url https://download.'),
        ("python", ">=3.13", "py -3.13 -m venv"),
        ("packages", {"numpy": "<1"}, 'pip install "numpy<1"'),
    ],
)
def test_step_has_the_wanted_version(key: str, value: object, command: str, tmp_path: Path) -> None:
    request = ScanRequest(facts_file=MACHINE, require=tuple(read_requirement(key, value)))
    report = scan(request)
    finding = next(each for outcome, each in report.findings() if outcome.name == "unmet-requirement")
    assert command in str(report.advise("unmet-requirement", finding))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--ignore", "unmet-requirement"), 0),
        (("--ignore", "settings"), 0),
        (("--select", "unmet-requirement"), 1),
        (("--select", "python-32bit"), 0),
    ],
)
def test_requirement_is_a_gate(options: tuple[str, ...], code: int, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "torchdoctor.toml").write_text("[require]\npackages = { nosuch = '>=1' }", encoding="utf-8")
    result = torchdoctor("scan", "--no-trials", "--format", "json", *options)
    assert result.returncode == code
    names = [each["name"] for each in json.loads(result.stdout)["outcomes"] if each["status"] == "failed"]
    assert ("unmet-requirement" in names) == bool(code)


def test_requirement_of_a_text(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "torchdoctor.toml").write_text(
        "[require]\ntorch = '>=2.9'\ndriver = '>=500'", encoding="utf-8"
    )
    result = torchdoctor("scan", "--from", "-", stdin="PyTorch version: 2.4.1+cu124\n")
    assert result.returncode == 1
    assert "the project requires torch >=2.9; torch 2.4.1+cu124 is" in " ".join(result.stdout.split())


def test_message_is_explained(torchdoctor) -> None:
    text = "the project requires torch >=2.9; torch 2.4.1 is installed"
    data = json.loads(torchdoctor("explain", text, "--format", "json").stdout)
    assert data["diagnoses"][0]["name"] == "unmet-requirement"
