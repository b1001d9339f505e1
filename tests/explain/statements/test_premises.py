"""No answer tells to do what a text says is done, and none supposes what a text says is otherwise."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdoctor.explain import Diagnosis, explain
from torchdoctor.explain.statements.said import Said
from torchdoctor.explain.text.clean import Line
from torchdoctor.knowledge import Knowledge
from torchdoctor.knowledge.mending import list_installed

SAMPLES = Path(__file__).parents[2] / "samples" / "explain" / "variants.jsonl"
# Of each entry, so many texts are asked about.
MOST_TEXTS = 2
# What a person says, and what a step tells to do that begins with one of these.
STATEMENTS = (
    ("I reinstalled the VC redist 14.44 x64.", r"(?:Install|Download) .{0,60}(?:redistributable|vc_redist)"),
    ("I have a 64 GB page file.", r"(?:Set a large|Enlarge the|Give Windows a) page file"),
    ("The page file is system managed.", r"Let Windows manage the page file"),
    (
        "I have the latest NVIDIA driver.",
        r"(?:Install|Update) [^.]{0,40}\bdriver\b[^.]{0,30}nvidia\.com/drivers",
    ),
    ("I restarted the PC.", r"Restart (?:Windows|the (?:PC|computer))"),
    ("num_workers=0 already.", r"Set `?num_workers`? to 0"),
    ("The batch size is 1 already.", r"(?:Halve|Lower) the batch"),
    ("I reinstalled torch.", r"Install the same (?:torch|release|build) again"),
    ("The Build Tools are installed.", r"Install the Build Tools of Visual Studio 2022"),
    ("Long paths are enabled.", r"Switch long paths on"),
    ("PYTHONUTF8 is 1.", r"Switch UTF-8 mode on"),
)
ERROR_1455 = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
ERROR_1114 = (
    "OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed."
    ' Error loading "C:\\v\\Lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.'
)
TOO_OLD = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040)."


def read_texts() -> dict[str, list[str]]:
    """Return some texts for each entry."""
    texts: dict[str, list[str]] = defaultdict(list)
    for line in SAMPLES.read_text(encoding="utf-8").splitlines():
        sample = json.loads(line)
        if len(texts[sample["label"]]) < MOST_TEXTS:
            texts[sample["label"]].append(sample["text"])
    return texts


TEXTS = read_texts()


def find_answer(text: str, knowledge: Knowledge) -> Diagnosis | None:
    """Return the answer to a text that is recognised."""
    found = explain(text, knowledge)
    return found.diagnoses[0] if found.recognised and found.diagnoses[0].fix else None


def list_pins(step: str) -> Iterator[str]:
    """Yield the packages with one release that the command of a step installs and a text could state."""
    is_plain = not re.search(r"--force|--ignore-installed|-m venv|conda create|activate|uv venv", step)
    for name, versions in list_installed(step).items():
        number = re.fullmatch(r"(?:==|>=|~=)(\d+(?:\.\d+)+)(?:\.\*)?(?:,.*)?", versions)
        if is_plain and number and not re.search(r"torch|/whl/", name):
            yield f"{name} {number[1]}"


def list_faults(text: str, knowledge: Knowledge) -> Iterator[str]:
    """Yield what is told to do although the text says that it is done, and gives no reason."""
    plain = find_answer(text, knowledge)
    if plain is None:
        return
    for said, told in STATEMENTS:
        if re.match(told, plain.fix[0]):
            answer = find_answer(f"{text}\n{said}", knowledge)
            if answer is not None and re.match(told, answer.fix[0]):
                yield f"{said} {answer.fix[0][:80]}"
    for pinned in list_pins(plain.fix[0]):
        answer = find_answer(f"{text}\n{pinned} is installed.", knowledge)
        if answer is not None and answer.fix[0] == plain.fix[0]:
            yield f"{pinned} is installed. {answer.fix[0][:80]}"


@pytest.mark.parametrize("entry", sorted(TEXTS))
def test_tells_nothing_that_is_said_to_be_done(entry: str, knowledge: Knowledge) -> None:
    assert [fault for text in TEXTS[entry] for fault in list_faults(text, knowledge)] == []


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("setuptools 75.8.0", "75.8.0"),
        ("setuptools==75.8.0 is installed", "75.8.0"),
        ("I have setuptools 75.8.0 and pip 24.0", "75.8.0"),
        ("the setuptools version is 75.8.0", None),
        ("it needs setuptools 75.8.0", None),
        ("setuptools 75.8.0 works", None),
        ("setuptools 75.8.0 or newer", None),
        ("before that I had setuptools 75.8.0", None),
        ("setuptools 75.8.0\nsetuptools 82.0.0", None),
        ("ERROR: setuptools 75.8.0 is there", None),
        ("pip install setuptools==75.8.0", None),
        ("requirements.txt:\nsetuptools==75.8.0", None),
    ],
)
def test_reads_the_only_version_that_is_said(text: str, version: str | None) -> None:
    lines = [Line(number, line) for number, line in enumerate(text.splitlines(), 1)]
    assert Said(lines, ()).find_version("setuptools") == version


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("ModuleNotFoundError: No module named 'pkg_resources'\nsetuptools 75.8.0", "setuptools 75.8.0"),
        ("AttributeError: module 'numpy' has no attribute 'int'.\nnumpy 1.21.6", "numpy 1.21.6"),
        ("RuntimeError: Windows not yet supported for torch.compile\ntorch 2.6.0", "torch 2.6.0"),
        (
            "Could not load library cudnn_ops_infer64_8.dll. Error code 126\nctranslate2 4.6.3",
            "ctranslate2 4.6.3",
        ),
        (
            "RuntimeError: Cannot find a working triton installation.\ntorch 2.7.1+cu128\n"
            "triton-windows 3.3.1.post19 is installed",
            "triton-windows 3.3.1.post19",
        ),
        (
            "UserWarning: Failed to initialize NumPy: _ARRAY_API not found\nnumpy 1.26.4 is installed.",
            "numpy 1.26.4",
        ),
        (
            "ImportError: DLL load failed while importing onnxruntime_pybind11_state: A dynamic link library"
            " (DLL) initialization routine failed.\nonnxruntime 1.20.1, Python 3.11",
            "onnxruntime 1.20.1",
        ),
    ],
)
def test_asks_the_python_where_the_version_is_another(text: str, package: str, knowledge: Knowledge) -> None:
    answer = explain(text, knowledge).diagnoses[0]
    assert answer.title == f"The program may run in another Python than the one that has {package}"
    assert f"m.distribution('{package.split()[0]}')" in answer.fix[0]


@pytest.mark.parametrize("said", ["setuptools 82.0.1", "", "it needs setuptools 75.8.0"])
def test_keeps_the_answer_where_the_version_fits(said: str, knowledge: Knowledge) -> None:
    answer = explain(f"ModuleNotFoundError: No module named 'pkg_resources'\n{said}", knowledge).diagnoses[0]
    assert 'pip install "setuptools<82"' in answer.fix[0]


@pytest.mark.parametrize(
    "said",
    [
        "VC redist 14.44.35211 x64 is installed, PC restarted",
        "I installed vc_redist.x64 14.50 today and rebooted",
        "I have reinstalled the Visual C++ Redistributable",
    ],
)
def test_redistributable_that_is_there_comes_last(said: str, knowledge: Knowledge) -> None:
    answer = explain(f"{ERROR_1114}\ntorch 2.10.0+cpu; {said}", knowledge).diagnoses[0]
    assert "`import torch`" in answer.fix[0]
    assert answer.fix[-1].startswith("The text says that the redistributable is installed already.")
    assert "The text says that the redistributable is installed already" in answer.lead


@pytest.mark.parametrize(
    "said",
    [
        "VC redist 14.29.30133 is installed",
        "I have not installed the redistributable",
        "Should I install vc_redist?",
        "on another PC I installed the redistributable",
        "Visual C++ 2013 redistributable is installed",
    ],
)
def test_other_words_of_the_redistributable_change_nothing(said: str, knowledge: Knowledge) -> None:
    answer = explain(f"{ERROR_1114}\ntorch 2.10.0+cpu\n{said}", knowledge).diagnoses[0]
    assert answer.fix[0].startswith("Install the current Visual C++ redistributable")


def test_page_file_that_is_large_is_not_made_large(knowledge: Knowledge) -> None:
    said = "torch 2.5.1. Page file is 120 GB system-managed, commit 20/150 GB"
    answer = explain(f"{ERROR_1455}\n{said}", knowledge).diagnoses[0]
    assert answer.fix[0].startswith("See the limit that is in effect")


def test_driver_that_is_newer_than_the_one_met(knowledge: Knowledge) -> None:
    answer = explain(f"{TOO_OLD}\nThe driver is 581.29.", knowledge).diagnoses[0]
    assert answer.title == "torch meets an older NVIDIA driver than the one in the text"
    assert answer.fix[0].startswith("Restart Windows")


def test_driver_that_torch_does_not_reach(knowledge: Knowledge) -> None:
    text = "RuntimeError: Found no NVIDIA driver on your system.\nThe driver is 581.29."
    assert explain(text, knowledge).diagnoses[0].title == (
        "torch does not reach the NVIDIA driver that the text names"
    )


def test_new_driver_asks_for_a_restart_first(knowledge: Knowledge) -> None:
    answer = explain(f"{TOO_OLD}\nI have the latest NVIDIA driver.", knowledge).diagnoses[0]
    assert answer.fix[0].startswith("The text says that the driver is new already. Restart Windows")


def test_first_step_refers_to_none_before_it(knowledge: Knowledge) -> None:
    text = (
        "UserWarning: NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current"
        " PyTorch installation.\nPython 3.8, torch 2.4.1+cu124"
    )
    assert not explain(text, knowledge).diagnoses[0].fix[0].startswith("If that does not help")


@pytest.mark.parametrize("folder", [r"D:\R&D\tools (new)\venv", r"\\server\share\envs\dl"])
def test_python_in_an_odd_folder_is_named(folder: str, knowledge: Knowledge) -> None:
    frame = rf'  File "{folder}\Lib\site-packages\torch\cuda\__init__.py", line 310, in _lazy_init'
    text = f"{frame}\nAssertionError: Torch not compiled with CUDA enabled\ntorch 2.5.1+cpu, RTX 4060"
    assert "the program's own `python.exe`" in explain(text, knowledge).diagnoses[0].fix[0]
