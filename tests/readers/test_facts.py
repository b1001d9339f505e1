"""The facts that are made of statements: what is known, what is not, and why."""

import pytest

from torchdoctor import read_environment
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.texts import examine_environment
from torchdoctor.facts import (
    Absent,
    BuildTools,
    Companions,
    CondaEnvironment,
    CudaTrial,
    Distributions,
    Facts,
    Interpreter,
    Memory,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)
from torchdoctor.facts.partial import Unobserved, find_value
from torchdoctor.readers.facts import make_facts

REPORT = """\
PyTorch version: 2.1.0+cu121
Is debug build: False
CUDA used to build PyTorch: 12.1
OS: Microsoft Windows 11 Pro (10.0.22631 64-bit)
Python version: 3.10.6 (tags/v3.10.6:9c7b4bd, Aug  1 2022, 21:53:49) [MSC v.1932 64 bit (AMD64)] (64-bit runtime)
Is CUDA available: True
CUDA runtime version: 11.8.89
GPU models and configuration: GPU 0: NVIDIA GeForce RTX 3060
Nvidia driver version: 546.33
[pip3] numpy==1.26.4
[pip3] torch==2.1.0+cu121
[pip3] torchvision==0.16.0+cu121
[conda] mkl                       2021.4.0           haa95532_640
"""


def facts_of(text: str) -> Facts:
    (environment,) = read_environment(text)
    return make_facts(environment)


def get(facts: Facts, fact: type) -> object:
    value = facts.get(fact)
    assert not isinstance(value, Absent), value.reason
    return value


def test_facts_of_a_report() -> None:
    facts = facts_of(REPORT)
    system = facts.get(OperatingSystem)
    assert isinstance(system, OperatingSystem)
    assert (system.system, system.version, system.build) == ("windows", "11 (10.0.22631)", 22631)
    assert isinstance(system.machine, Absent)
    python = facts.get(Interpreter)
    assert isinstance(python, Interpreter)
    assert (python.version, python.bits, python.machine) == ("3.10.6", 64, "x64")
    assert (python.implementation, python.platform_tag, python.finds_torch) == ("CPython", "win-amd64", True)
    torch = facts.get(TorchInstall)
    assert isinstance(torch, TorchInstall)
    assert (torch.version, torch.cuda, torch.local_tag) == ("2.1.0+cu121", "12.1", "cu121")
    driver = facts.get(NvidiaDriver)
    assert isinstance(driver, NvidiaDriver)
    assert (driver.state, driver.version) == ("working", "546.33")
    assert not isinstance(driver.gpus, Absent)
    assert [(gpu.name, gpu.compute_capability) for gpu in driver.gpus] == [
        ("NVIDIA GeForce RTX 3060", (8, 6))
    ]
    trial = facts.get(CudaTrial)
    assert isinstance(trial, CudaTrial)
    assert (trial.available, trial.kernel_ran, trial.architectures) == (True, False, ())
    tools = facts.get(BuildTools)
    assert isinstance(tools, BuildTools)
    assert (tools.has_nvcc, tools.nvcc_version) == (True, "11.8")


def test_a_partial_list_of_packages() -> None:
    distributions = facts_of(REPORT).get(Distributions)
    assert isinstance(distributions, Distributions)
    numpy = distributions.find("numpy")
    assert numpy is not None and numpy.version == "1.26.4"
    # collect_env would have listed it; of others it says nothing.
    assert distributions.find("torchaudio") is None
    with pytest.raises(Unobserved):
        distributions.find("xformers")


def test_a_complete_list_of_packages() -> None:
    distributions = facts_of("Package Version\n------- -------\nnumpy   1.26.4\n").get(Distributions)
    assert isinstance(distributions, Distributions)
    assert distributions.find("xformers") is None


def test_companions_have_the_cuda_of_their_tag() -> None:
    companions = facts_of(REPORT).get(Companions)
    assert isinstance(companions, Companions)
    (companion,) = companions.installed
    assert (companion.name, companion.version, companion.cuda) == ("torchvision", "0.16.0+cu121", "12.1")
    assert isinstance(find_value(companion, "folder"), Absent)


def test_what_conda_installed() -> None:
    conda = facts_of(REPORT).get(CondaEnvironment)
    assert isinstance(conda, CondaEnvironment)
    mkl = conda.find("mkl")
    assert mkl is not None and (mkl.version, mkl.build) == ("2021.4.0", "haa95532_640")
    with pytest.raises(Unobserved):
        conda.find("blas")


def test_two_versions_are_no_version() -> None:
    facts = facts_of(
        "pytorch version: 2.1.0+cu121\n** Python version: 3.10.6\n\nPackage Version\n------- -------\ntorch 2.5.1\n"
        "\nPython 3.12.1 (tags/v3.12.1:2305ca5, Dec  7 2023, 22:03:25) [MSC v.1937 64 bit (AMD64)] on win32\n"
    )
    torch = facts.get(TorchInstall)
    assert isinstance(torch, TorchInstall) and isinstance(torch.version, Absent)
    assert torch.version.reason == "two lines differ: torch is 2.1.0+cu121 in line 1 and 2.5.1 in line 6"
    python = facts.get(Interpreter)
    assert isinstance(python, Interpreter)
    with pytest.raises(Unobserved, match=r"Python is 3\.10\.6 in line 2 and 3\.12\.1 in line 8"):
        _ = python.version


@pytest.mark.parametrize(
    ("text", "fact", "reason"),
    [
        ("torch 2.1 here", NvidiaDriver, "not stated: which GPU and NVIDIA driver there are"),
        ("torch 2.1 here", OperatingSystem, "not stated: the operating system"),
        ("torch 2.1 here", CudaTrial, "not stated: whether torch can use CUDA"),
        ("torch 2.1 here", Distributions, "not stated: the installed packages"),
        ("torch 2.1 here", Companions, "not stated: the versions of torchvision and torchaudio"),
        ("torch 2.1 here", CondaEnvironment, "not stated: what conda installed"),
        ("torch 2.1 here", BuildTools, "not stated: which CUDA toolkit is installed"),
        ("torch 2.1 here", Memory, "not stated: the memory of the machine"),
        ("I have an RTX 3060", TorchInstall, "not stated: which torch it is"),
        ("ModuleNotFoundError: No module named 'torch'", TorchInstall, "torch is not installed"),
        (
            "PyTorch version: 2.1.0+cpu\nIs CUDA available: False",
            CudaTrial,
            "this torch is built without CUDA",
        ),
        (
            "PyTorch version: 2.1.0+cu121\nIs CUDA available: False",
            CudaTrial,
            "not stated: which GPU there is",
        ),
    ],
)
def test_what_is_not_stated_is_absent(text: str, fact: type, reason: str) -> None:
    assert facts_of(text).get(fact) == Absent(reason)


def test_a_card_alone_says_nothing_of_the_driver() -> None:
    driver = facts_of("I have an RTX 3060").get(NvidiaDriver)
    assert isinstance(driver, NvidiaDriver)
    with pytest.raises(Unobserved, match="whether the NVIDIA driver works"):
        _ = driver.state


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("I have an RTX 3060\nDevice: cuda:0 NVIDIA GeForce RTX 3060 : native", ["NVIDIA GeForce RTX 3060"]),
        ("GPU 0: TITAN RTX\nGPU 1: TITAN RTX\nDevice: cuda:1 TITAN RTX : native", ["TITAN RTX", "TITAN RTX"]),
        ("GPU: AMD Radeon RX 6600", None),
    ],
)
def test_cards_are_those_of_the_longest_printed_list(text: str, cards: list[str] | None) -> None:
    driver = facts_of(text).get(NvidiaDriver)
    names = (
        None
        if isinstance(driver, Absent) or isinstance(driver.gpus, Absent)
        else [gpu.name for gpu in driver.gpus]
    )
    assert names == cards


def test_a_capability_that_is_stated_wins_over_the_table() -> None:
    driver = facts_of("GPU 0 Name: NVIDIA New Card 9000\nGPU 0 CUDA capability (maj.min): 12.1").get(
        NvidiaDriver
    )
    assert isinstance(driver, NvidiaDriver) and not isinstance(driver.gpus, Absent)
    assert driver.gpus[0].compute_capability == (12, 1)


def test_a_name_that_is_not_in_the_table() -> None:
    driver = facts_of("GPU 0 Name: NVIDIA New Card 9000").get(NvidiaDriver)
    assert isinstance(driver, NvidiaDriver) and not isinstance(driver.gpus, Absent)
    assert isinstance(driver.gpus[0].compute_capability, Absent)


def test_a_python_for_arm_runs_on_arm_only() -> None:
    text = "Python 3.12.4 (tags/v3.12.4:8e8a4ba, Jun  6 2024, 19:48:35) [MSC v.1940 64 bit (ARM64)] on win32"
    system = facts_of(text).get(OperatingSystem)
    assert isinstance(system, OperatingSystem) and system.machine == "arm64"


def test_the_same_path_in_two_spellings_is_no_contradiction() -> None:
    (environment,) = read_environment(
        "** Python executable: C:\\Py\\python.exe\nvenv \"c:\\py\\Python.exe\"\n>>> sys.executable\n'C:/Py/python.exe'\n"
    )
    assert environment.conflicts == ()


def test_memory() -> None:
    memory = facts_of("Total VRAM 8192 MB, total RAM 32694 MB\npytorch version: 2.1.0").get(Memory)
    assert isinstance(memory, Memory) and memory.physical_bytes == 32694 << 20


def test_knows_the_torch_that_a_package_of_unknown_version_requires() -> None:
    companions = get(
        facts_of("xFormers was built for:\n    PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.3.1+cu121)"),
        Companions,
    )
    assert isinstance(companions, Companions)
    (package,) = companions.installed
    assert (package.name, package.required_torch, package.is_compiled) == ("xformers", "==2.1.2", True)
    assert isinstance(find_value(package, "version"), Absent)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "xFormers was built for:\n    PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.3.1+cu121)",
            "xformers is built for torch 2.1.2, and torch is 2.3.1+cu121",
        ),
        (
            "xformers 0.0.21 requires torch==2.0.1, but you have torch 2.2.0+cu121 which is incompatible.",
            "xformers 0.0.21 is built for torch 2.0.1, and torch is 2.2.0+cu121",
        ),
        (
            "fastai 2.7.12 requires torch<2.1,>=1.7, but you have torch 2.2.0+cu121 which is incompatible.",
            "fastai 2.7.12 requires torch <2.1,>=1.7, and torch is 2.2.0+cu121",
        ),
    ],
    ids=["xformers", "pin", "range"],
)
def test_reports_a_package_by_what_the_text_says_that_it_requires(text: str, message: str) -> None:
    registry = load_registry()
    check = next(each for each in registry.checks if each.name == "package-for-other-torch")
    (environment,) = read_environment(text)
    (outcome,) = examine_environment(environment, (check,), registry.knowledge).outcomes
    assert [finding.message for finding in outcome.findings] == [message]
