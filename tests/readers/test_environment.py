"""Which statements count: printed before written by hand, one environment or two, what differs, what is wanted."""

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Environment, Topic

COLLECT_ENV = """\
PyTorch version: {torch}
Is debug build: False
OS: Microsoft Windows 11 Pro (10.0.22631 64-bit)
Python version: {python} (64-bit runtime)
Nvidia driver version: 546.33
"""


def read_one(text: str) -> Environment:
    (environment,) = read_environment(text)
    return environment


def find(text: str, topic: Topic, subject: str = "") -> str | None:
    values = {
        statement.value
        for environment in read_environment(text)
        for statement in environment.statements
        if statement.topic is topic and statement.subject == subject
    }
    assert len(values) < 2
    return values.pop() if values else None


def test_a_statement_has_its_line() -> None:
    environment = read_one("It crashes.\n\npytorch version: 2.4.1+cu124\n")
    statement = environment.find(Topic.TORCH)
    assert statement is not None
    assert (statement.value, statement.line, statement.is_printed) == ("2.4.1+cu124", 3, True)


def test_a_second_report_is_another_environment() -> None:
    first, second = read_environment(
        COLLECT_ENV.format(torch="2.1.0+cu121", python="3.10.6")
        + "\nand on the laptop:\n\n"
        + COLLECT_ENV.format(torch="2.5.1+cpu", python="3.12.1")
    )
    assert first.list_values()["torch_version"] == "2.1.0+cu121"
    assert second.list_values()["torch_version"] == "2.5.1+cpu"
    assert first.conflicts == second.conflicts == ()


def test_the_same_report_twice_is_one_environment() -> None:
    report = COLLECT_ENV.format(torch="2.1.0+cu121", python="3.10.6")
    assert len(read_environment(report + "\n\n" + report)) == 1


def test_two_programs_that_differ_are_kept_both() -> None:
    environment = read_one(
        "pytorch version: 2.1.0+cu121\nTotal VRAM 8192 MB, total RAM 16000 MB\n\n> pip list\n"
        "Package  Version\n-------- -------\ntorch    2.5.1+cu124\n"
    )
    (conflict, *_) = environment.conflicts
    assert (conflict.first.value, conflict.first.line) == ("2.1.0+cu121", 1)
    assert (conflict.second.value, conflict.second.line) == ("2.5.1+cu124", 7)
    assert environment.find(Topic.TORCH) is None


def test_what_a_program_prints_wins_over_what_a_person_writes() -> None:
    environment = read_one(
        "I have torch 2.5 here.\n" + COLLECT_ENV.format(torch="2.1.0+cu121", python="3.10.6")
    )
    assert environment.list_values()["torch_version"] == "2.1.0+cu121"
    assert [conflict.first.value for conflict in environment.conflicts] == ["2.5"]


def test_a_shorter_version_is_no_contradiction() -> None:
    environment = read_one(
        "win11, torch 2.1, python 3.10\n" + COLLECT_ENV.format(torch="2.1.0+cu121", python="3.10.6")
    )
    assert environment.conflicts == ()


@pytest.mark.parametrize(
    "text",
    [
        "pip install torch==2.8.0",
        "I want to install torch 2.8 with cu128",
        "trying to upgrade to torch 2.8",
        "this package requires torch 2.8",
        "It works with torch 2.8.",
        "torch>=2.8",
        "PyTorch version: >=2.8",
        "PyTorch version: 2.8 or newer",
        "PyTorch version: 2.x",
        "torch==2.8.0\nnumpy\nflask>=2\n",
        "FROM python:3.10\nRUN pip install torch==2.8.0",
        "ERROR: No matching distribution found for torch==2.8.0 (from versions: 2.9.0)",
        "Collecting torch==2.8.0\n  Downloading torch-2.8.0-cp310-cp310-win_amd64.whl (241 MB)",
        "Found existing installation: torch 2.8.0\nUninstalling torch-2.8.0:",
        "Does torch 2.8 support this card?",
        "Please use torch 2.8 instead.",
        "PyTorch version: 2.7 or 2.8",
        "我之前用的是 torch 2.8",
        "Ho provato con torch 2.8 ma niente.",
        "torch 2.7 crashed, torch 2.8 crashed too.",
        'torch = "2.8.0"',
        "dependencies:\n  - python=3.10\n  - pytorch=2.8.0",
        "torch 2.8 was released yesterday",
        "    PyTorch 2.8.0+cu118 with CUDA 1108 (you have something else)",
        "print(torch.__version__)\nI expected to see the version here, such as 2.8.0",
    ],
)
def test_a_wanted_torch_is_not_installed(text: str) -> None:
    assert find(text, Topic.TORCH) is None


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Successfully installed numpy-1.26.4 torch-2.8.0+cu128", "2.8.0+cu128"),
        (
            "Requirement already satisfied: torch>=2.0 in c:\\py\\lib\\site-packages (2.8.0+cu128)",
            "2.8.0+cu128",
        ),
        (
            "audiocraft requires torch==2.1, but you have torch 2.8.0+cu128 which is incompatible.",
            "2.8.0+cu128",
        ),
        (">>> torch.__version__\n'2.8.0+cu128'", "2.8.0+cu128"),
        ('C:\\>python -c "import torch; print(torch.__version__)"\n2.8.0+cu128', "2.8.0+cu128"),
        ("Name: torch\nVersion: 2.8.0+cu128\nSummary: Tensors", "2.8.0+cu128"),
        ("version: v1.6.0  •  python: 3.10.6  •  torch: 2.8.0+cu128  •  xformers: N/A", "2.8.0+cu128"),
        (
            "Ultralytics 8.3.1 Python-3.10.9 torch-2.8.0+cu128 CUDA:0 (NVIDIA GeForce RTX 3060, 12288MiB)",
            "2.8.0+cu128",
        ),
        ("- PyTorch version (GPU?): 2.8.0+cu128 (True)", "2.8.0+cu128"),
        ("Successfully installed torch-2.1.0\nSuccessfully installed torch-2.8.0+cu128", "2.8.0+cu128"),
        ("I'm on torch 2.8", "2.8"),
        ("2. PyTorch Version - '2.8.0'", "2.8.0"),
        ("print(torch.__version__)\n2.8.0+cu128", "2.8.0+cu128"),
        ("torch.__version__\ntorch.cuda.is_available()\n\n2.8.0+cu128\nFalse", "2.8.0+cu128"),
        ("PyTorch version: N/A", "missing"),
        ("Installed 2 packages in 3s\n - torch==2.1.0\n + torch==2.8.0+cu128", "2.8.0+cu128"),
        ("    PyTorch 2.0.1+cu118 with CUDA 1108 (you have 2.8.0+cpu)", "2.8.0+cpu"),
        ("ModuleNotFoundError: No module named 'torch'", "missing"),
    ],
)
def test_an_installed_torch(text: str, version: str) -> None:
    assert find(text, Topic.TORCH) == version


@pytest.mark.parametrize(
    "text",
    [
        "minimum: RTX 3060",
        "It works on my friend's RTX 3060.",
        "I replaced the old RTX 3060.",
        "Is an RTX 3060 enough?",
        "an RTX 3060 is faster than a GTX 1080",
        "torch 2.8 added support for RTX 5090",
        "the 30 series",
    ],
)
def test_another_card_is_not_read(text: str) -> None:
    assert [each for each in read_environment(text) if each.find_all(Topic.GPU)] == []


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("I have an RTX 3060", "RTX 3060"),
        ("win11, 3060, cu121", "RTX 3060"),
        ("GPU: NVIDIA GeForce RTX 3060 12GB", "NVIDIA GeForce RTX 3060"),
        ("Device: cuda:0 NVIDIA GeForce RTX 3060 : cudaMallocAsync", "NVIDIA GeForce RTX 3060"),
        ("- **Name:** cuda:0 NVIDIA GeForce RTX 3060 : native", "NVIDIA GeForce RTX 3060"),
        ("显卡：RTX 3060", "RTX 3060"),
        ("GPU=RTX3060 Windows", "RTX3060"),
        ("We have two GTX 1080 here. Ubuntu 22.04.", "GTX 1080"),
    ],
)
def test_the_card_of_the_machine(text: str, card: str) -> None:
    assert find(text, Topic.GPU, "0") == card


def test_no_environment_in_a_text_about_something_else() -> None:
    assert read_environment("The build of our web page fails since Monday.\nnpm ERR! code E404\n") == ()


def test_python_of_the_store_has_one_folder() -> None:
    name = "PythonSoftwareFoundation.Python.3.11"
    text = (
        f'  File "C:\\Users\\me\\AppData\\Local\\Packages\\{name}_qbz5n2kfra8p0\\LocalCache\\a.py", line 1, in f\n'
        f'  File "C:\\Program Files\\WindowsApps\\{name}_3.11.1008.0_x64__qbz5n2kfra8p0\\Lib\\b.py", line 2, in g\n'
    )
    assert (find(text, Topic.BASE_PREFIX) or "").endswith(
        f"\\WindowsApps\\{name}_3.11.1008.0_x64__qbz5n2kfra8p0"
    )
