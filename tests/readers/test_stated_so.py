"""Values in the words of programs and people, and the checks that they decide."""

import pytest

from torchdoctor import read_environment
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.texts import examine_environment
from torchdoctor.readers import Topic

REGISTRY = load_registry()
CHECKS = [check for check in REGISTRY.checks if not REGISTRY.knowledge.entries[check.name].reads_code]


def find_failed(text: str) -> set[str]:
    return {
        outcome.name
        for environment in read_environment(text)
        for outcome in examine_environment(environment, CHECKS, REGISTRY.knowledge).outcomes
        if outcome.status == "failed"
    }


CPU_BUILDS = (
    "AssertionError: Torch not compiled with CUDA enabled",
    "torch==2.1.0+cpu is what pip shows",
    "torch: 2.1.0+cpu",
)
DRIVERS = (
    "NVIDIA-SMI 551.76    Driver Version: 551.76    CUDA Version: 12.4",
    "我的电脑Win10  Driver Version: 551.76      CUDA Version: 12.4",
    "Nvidia driver version: 551.76",
    "NVIDIA driver: 551.76",
)


@pytest.mark.parametrize("build", CPU_BUILDS[::2])
@pytest.mark.parametrize("driver", DRIVERS)
def test_cpu_build_beside_a_driver_that_works(build: str, driver: str) -> None:
    assert "cpu-only-build" in find_failed(f"{driver}\n\n{build}\n")


@pytest.mark.parametrize("text", CPU_BUILDS[::2])
def test_cpu_build_without_a_word_of_a_card(text: str) -> None:
    assert "cpu-only-build" not in find_failed(f"Windows 11\n{text}\n")


@pytest.mark.parametrize(
    "system",
    [
        "OS: Windows 7 32-bit",
        "* OS -Windows 7 32-bit",
        "Windows 10 (32 bit)",
        "OS: Windows 10 Pro 32-bit",
        "系统：Windows 7 32位",
    ],
)
def test_windows_for_32_bits_has_a_32_bit_python(system: str) -> None:
    assert "python-32bit" in find_failed(f"{system}\nPyTorch version: 1.5")


@pytest.mark.parametrize(
    "system",
    ["OS: Windows 10 64-bit", "Windows 10, 32 GB RAM", "Windows 10 x86_64", "Windows 10, 64-bit Python"],
)
def test_other_windows(system: str) -> None:
    assert "python-32bit" not in find_failed(f"{system}\nPyTorch version: 1.5")


@pytest.mark.parametrize(
    ("text", "topic", "value"),
    [
        ("PS C:\\> pyenv version\n3.11.9 (set by C:\\Users\\me\\.pyenv\\pyenv-win\\version)", Topic.PYTHON, "3.11.9"),
        ("PS D:\\app> py -3.12 -m venv .venv", Topic.PYTHON, "3.12"),
        ("(base) C:\\Users\\me>conda create -n app python=3.10 -y", Topic.PYTHON, "3.10"),
        ("Using C:\\Users\\me\\AppData\\Local\\torch_extensions\\torch_extensions\\Cache\\py311_cpu as PyTorch extensions root...",
         Topic.TORCH_CUDA, "none"),
        ("Using /home/me/.cache/torch_extensions/py310_cu121 as PyTorch extensions root...", Topic.TORCH_CUDA, "12.1"),
        ("Using /home/me/.cache/torch_extensions/py310_cu121 as PyTorch extensions root...", Topic.PYTHON, "3.10"),
        ("No CUDA runtime is found, using CUDA_HOME='C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.7'",
         Topic.CUDA_AVAILABLE, "no"),
        ("No CUDA runtime is found, using CUDA_HOME='C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.7'", Topic.TOOLKIT, "11.7"),
        ('   CUDA Toolkit 12.8, Driver 13.0\n     "cuda:0"   : "NVIDIA GeForce RTX 5090" (32 GiB, sm_120, mempool enabled)',
         Topic.GPU_CAPABILITY, "12.0"),
        ('   CUDA Toolkit 12.8, Driver 13.0\n     "cuda:0"   : "NVIDIA GeForce RTX 5090" (32 GiB, sm_120, mempool enabled)',
         Topic.DRIVER_CUDA, "13.0"),
        ("**OS**: WSL (Windows 10)", Topic.SYSTEM, "linux"),
        ("OS: WSL2, Windows 11", Topic.SYSTEM, "linux"),
        ("/app/env/.venv/lib/python3.10/site-packages/torch/cuda/__init__.py:283: UserWarning:", Topic.SYSTEM, "linux"),
        ("Hi, I am facing this issue on Windows using the latest stable build.", Topic.SYSTEM, "windows"),
        ("I'm getting the same error on Windows.", Topic.SYSTEM, "windows"),
        ("I have cuda 12.2 (as reported by nvidia-smi).", Topic.DRIVER_CUDA, "12.2"),
        ("I am trying to build this on a win10 machine with driver version 392.56", Topic.DRIVER, "392.56"),
        ("(Get-WmiObject Win32_OperatingSystem).Version\n10.0.26100", Topic.WINDOWS_BUILD, "26100"),
        ("PS C:\\> (Get-CimInstance Win32_VideoController).Name\nNVIDIA GeForce RTX 3060", Topic.GPU, "NVIDIA GeForce RTX 3060"),
        ("C:\\> wmic path win32_VideoController get name\nName\nNVIDIA GeForce RTX 3060", Topic.GPU, "NVIDIA GeForce RTX 3060"),
        ("Microsoft Windows [Version 6.1.7601]", Topic.WINDOWS_BUILD, "7601"),
        ("wmic path win32_VideoController get name,driverversion\nDriverVersion  Name\n32.0.15.6078   NVIDIA GeForce RTX 3060",
         Topic.GPU, "NVIDIA GeForce RTX 3060"),
        ("gcim Win32_VideoController | select Name, DriverVersion\nName DriverVersion\nNVIDIA GeForce RTX 3060  32.0.15.6078",
         Topic.GPU, "NVIDIA GeForce RTX 3060"),
    ],
)  # fmt: skip
def test_value_is_read(text: str, topic: Topic, value: str) -> None:
    found = {
        statement.value
        for environment in read_environment(text)
        for statement in environment.statements
        if statement.topic is topic
    }
    assert found == {value}


@pytest.mark.parametrize(
    "text",
    [
        "Create the environment with `py -3.12 -m venv .venv`.",
        "conda create -n app python=3.10",
        "Does anyone get the same error on Windows or Linux?",
        "If you get an error on Windows, update.",
    ],
)
def test_advice_states_nothing(text: str) -> None:
    topics = {each.topic for environment in read_environment(text) for each in environment.statements}
    assert not topics & {Topic.PYTHON, Topic.SYSTEM}


BUILD_TOOLS = "nvcc: release 12.4, V12.4.131\nPyTorch version: 2.0.1+cu117\n"


def test_toolkit_without_its_folder_is_compared_where_extensions_are_built() -> None:
    listed = "pip list\nPackage Version\n------- -------\nninja   1.11.1\nnumpy   1.26.4\n"
    assert "cuda-toolkit-mismatch" in find_failed(f"{BUILD_TOOLS}\n{listed}")


def test_it_is_not_known_of_a_text_that_nothing_is_built() -> None:
    (environment,) = read_environment(BUILD_TOOLS)
    outcomes = examine_environment(environment, CHECKS, REGISTRY.knowledge).outcomes
    assert [each.status for each in outcomes if each.name == "cuda-toolkit-mismatch"] == ["skipped"]
