"""Sentences over the ends of lines, and what writers say of their own machine in the middle of others."""

import itertools
from importlib import import_module

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic
from torchdoctor.readers.sentences import list_sentences


def read(text: str) -> dict[tuple[Topic, str], str]:
    return {
        (statement.topic, statement.subject): statement.value
        for environment in read_environment(text)
        for statement in environment.statements
    }


def find_line(text: str, topic: Topic) -> int:
    (environment,) = read_environment(text)
    return next(statement.line for statement in environment.statements if statement.topic is topic)


WRAPPED = "My machine has a card that is not very old by now, an RTX 3060\n(12 GB), and the programs are new."


def test_memory_beside_a_card_that_is_of_the_machine() -> None:
    found = read("J'ai une GTX 1080 Ti, 16 Go de RAM et torch 2.1.0")
    assert (Topic.GPU_MEMORY, "0") not in found
    found = read("RTX 3060, RAM 32GB, torch 2.1.0")
    assert (Topic.GPU_MEMORY, "0") not in found


def test_a_wrapped_line_is_one_sentence() -> None:
    assert read(WRAPPED.replace("not very old", "new"))[Topic.GPU_MEMORY, "0"] == str(12 << 30)
    first, second = list_sentences(((1, "One sentence."), (2, "Another one")))
    assert (first.text, second.text) == ("One sentence.", "Another one")


@pytest.mark.parametrize(
    "text",
    [
        "To run this program on your machine, you will certainly require\ntorch 2.1.0 and an RTX 3060.",
        "The authors of the paper have always recommended that you take\n`torch 2.1.0`, and nothing else.",
    ],
)
def test_a_wish_counts_over_the_end_of_a_line(text: str) -> None:
    assert read(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "I looked at all of these things for a very long time today\n- Python 3.10.6\n- torch 2.1.0",
        'pip install "git+https://example.org/a-long-name-of-a-project"\npython 3.10.6, torch 2.1.0',
        "I looked at all of these things for a very long time today:\npython 3.10.6, torch 2.1.0",
        "I looked at all of these things for a very long time with 3060\npython 3.10.6, torch 2.1.0",
    ],
)
def test_what_is_no_wrapped_line(text: str) -> None:
    found = read(text)
    assert (found[Topic.PYTHON, ""], found[Topic.TORCH, ""]) == ("3.10.6", "2.1.0")


def test_a_statement_has_the_line_of_its_value() -> None:
    text = "All of my programs have the same trouble on this machine here, and\nit has torch 2.1.0+cu121 and a fan,"
    assert find_line(text, Topic.TORCH) == 2
    assert find_line(text, Topic.TORCH_CUDA) == 2


@pytest.mark.parametrize(
    ("text", "topic", "subject", "value"),
    [
        ("I'm using Python 3.10.6, not Anaconda (I removed it).", Topic.PYTHON, "", "3.10.6"),
        ("It fails, note that I have python 3.10.11 installed on my machine.", Topic.PYTHON, "", "3.10.11"),
        ("I have torch 2.1.0, but pip wants to install another one.", Topic.TORCH, "", "2.1.0"),
        ("I have a 3080 ti and the other program works on the GPU.", Topic.GPU, "0", "RTX 3080 ti"),
        ("Should it be slow? I use Windows 11 with torch 2.1.0 here", Topic.TORCH, "", "2.1.0"),
        ("I upgraded to torch 2.4.0+cu121, but nothing changed.", Topic.TORCH, "", "2.4.0+cu121"),
        ("Reinstalled PyTorch 2.2.0.\nDowngraded to PyTorch 2.1.0+cpu", Topic.TORCH, "", "2.1.0+cpu"),
        ("- RTX 3060\n- 2.4.0+cu121", Topic.TORCH, "", "2.4.0+cu121"),
        ("Pin `numpy<2` (installed `numpy==1.26.4`).", Topic.PACKAGE, "numpy", "1.26.4"),
        ("torch fails because `numpy==2.1.0` is installed.", Topic.PACKAGE, "numpy", "2.1.0"),
        ("windows10+CUDA9.0+torch1.0.1+python3.6.5", Topic.PYTHON, "", "3.6.5"),
        ("`torch 2.1.0+cpu`, `torch.cuda.is_available() False`", Topic.CUDA_AVAILABLE, "", "no"),
        ("torch 2.1.0+cu121 (CUDA available, one card)", Topic.CUDA_AVAILABLE, "", "yes"),
        ("GTX 1060 3GB (sm_61), WSL Ubuntu, 8 cores", Topic.SYSTEM, "", "linux"),
        ("- RTX 3060\n- nvcc 12.4", Topic.TOOLKIT, "", "12.4"),
        ("My card with 6 GB VRAM is an RTX 2060", Topic.GPU_MEMORY, "0", str(6 << 30)),
        ("RTX 4060 with 8188 MiB", Topic.GPU_MEMORY, "0", str(8188 << 20)),
        ("RTX 4080 16 GB (2 GB free)", Topic.GPU_MEMORY, "0", str(16 << 30)),
        ("环境：win10 + python3.9 + torch1.12.1+cu116", Topic.PYTHON, "", "3.9"),
        ("Env: Win11 / RTX 5090 / Python 3.12.8", Topic.PYTHON, "", "3.12.8"),
        ("Tengo torch y torch.cuda.is_available() devuelve False.", Topic.CUDA_AVAILABLE, "", "no"),
        ("Instalé torch 2.5.1 y no funciona", Topic.TORCH, "", "2.5.1"),
        ("`print(torch.__version__)` prints `2.6.0+cpu`.", Topic.TORCH, "", "2.6.0+cpu"),
        ("torch.version.cuda -> 12.1", Topic.TORCH_CUDA, "", "12.1"),
        ("torch.cuda.get_device_capability(0) = (8, 9)", Topic.GPU_CAPABILITY, "0", "8.9"),
        ("nvidia-smi shows driver 566.36 and CUDA 12.7", Topic.DRIVER_CUDA, "", "12.7"),
        ("My GPU is a 4060 Ti 16GB", Topic.GPU, "0", "RTX 4060 Ti"),
        ("Torch version is 1.10.0 here", Topic.TORCH, "", "1.10.0"),
        ("WSL2 Ubuntu 22.04 on Windows 11, torch 2.3.0", Topic.SYSTEM, "", "linux"),
        ("Ich habe PyTorch 2.3.1+cu121.", Topic.TORCH, "", "2.3.1+cu121"),
        ("Meine Umgebung: Windows 10, torch==2.0.1+cu117, GTX 1070", Topic.TORCH, "", "2.0.1+cu117"),
        ("Umgebung: Windows 10, GTX 1070, Treiberversion 531.41", Topic.DRIVER, "", "531.41"),
        ("Laptop with the latest NVIDIA driver (566.36)", Topic.DRIVER, "", "566.36"),
        ("Setup: 5090 (32gb), nvidia 576.52", Topic.DRIVER, "", "576.52"),
        ("Setup: 5090 (32gb), Win 11", Topic.GPU, "0", "RTX 5090"),
        ("我的电脑是 win11，显卡 4060 8g", Topic.GPU_MEMORY, "0", str(8 << 30)),
        ("我用的是 RTX 3060，16G 内存", Topic.MEMORY, "", str(16 << 30)),
        ("RTX 4070, 32 GB DDR5", Topic.MEMORY, "", str(32 << 30)),
        ("Installed cuda 12.6, torch 2.5.1+cu124 via pip", Topic.TORCH, "", "2.5.1+cu124"),
        ("torch 版本 2.0.1，python 版本 3.9", Topic.PYTHON, "", "3.9"),
        ("Win11，4070ti，torch2.1.0", Topic.GPU, "0", "RTX 4070ti"),
        ("机器：RTX 3060，驱动 551.23，只到 CUDA 12.4。", Topic.DRIVER, "", "551.23"),
    ],
)
def test_what_writers_say_of_their_machine(text: str, topic: Topic, subject: str, value: str) -> None:
    assert read(text).get((topic, subject)) == value


@pytest.mark.parametrize(
    "text",
    [
        "I have to use torch 2.1.0 for it.",
        "I have heard torch 2.1.0 is slow, so I will not install it.",
        "I use my friend's computer with torch 2.1.0 when I need it.",
        "My old python 3.8.1 does not start.",
        "The tested version is different: torch 2.1.0 works",
        "You can be upgraded to a torch 2.x",
        "If `torch==2.1.0` is wanted, take it.",
        "It must never have `torch==2.1.0`.",
        "The author states that he uses an RTX 3060 with 12 GB",
        "It needs 24 GB VRAM.",
        "Before:\n- torch 2.1.0\n- Python 3.10.6",
        "当时的环境：\n- torch 2.1.0\n- Python 3.10.6",
        "if CUDA is available, torch 2.1.0+cu121 is not needed",
        "The cuda toolkit 12.4 is required.",
        "`torch.__version__` should print `2.6.0+cpu`",
        "if torch.version.cuda == 12.1",
        "Have you installed torch 2.1.0?",
        "The global torch is `2.1.0+cpu`",
        "Python 3.8+ and torch 2.1+",
        "Tested with an RTX 4090, Python 3.10.11 and torch 2.1.2+cu121.",
        "- drop Python 3.8",
        "Update to the latest NVIDIA driver (566.36)",
        "pip install torch==2.0.1+cu117, then Windows 10, then run it, please",
        "Fixed in torch 2.5.1.",
        "1. Use torch 2.5.0",
        "Versions that fail: torch 2.5.0, torchvision 0.20.0",
        "The model was trained on 8x A100 with torch 2.1.0, transformers 4.36.2.",
        "I bought a new card to replace my GTX 1080.",
        "Should I use Python 3.11 or 3.12?",
        "| GPU | VRAM | Speed |\n|---|---|---|\n| RTX 3060 | 12 GB | 1.2 |\n| RTX 4090 | 24 GB | 9.1 |",
        "| torch | torchvision | Python |\n|---|---|---|\n| 2.4.0 | 0.19.0 | 3.12 |\n| 2.3.1 | 0.18.1 | 3.11 |",
        "2.1.0+cu121\n2.4.0+cu124",
        "The pyproject has a pytorch-cu128 index.",
    ],
)
def test_what_is_not_of_their_machine(text: str) -> None:
    assert read(text) == {}


def test_a_quotation_is_another_ones_if_there_is_an_answer() -> None:
    text = "> I have the same with torch 2.0.1 on Ubuntu 22.04\nFor me it is Windows 10, torch 2.1.0+cu118."
    found = read(text)
    assert (found[Topic.TORCH, ""], found[Topic.SYSTEM, ""]) == ("2.1.0+cu118", "windows")
    assert read("> torch 2.0.1 on Ubuntu 22.04")[Topic.TORCH, ""] == "2.0.1"


def test_a_table_with_names_and_versions() -> None:
    assert (
        read("| Name | Version |\n|---|---|\n| torch | 2.1.0 |\n| Python | 3.10.6 |")[Topic.TORCH, ""]
        == "2.1.0"
    )


def test_i_tested_says_something_of_my_machine() -> None:
    assert read("I tested with torch 2.1.2 and Python 3.10.6 here")[Topic.TORCH, ""] == "2.1.2"


def test_memory_that_is_used_is_not_all_of_it() -> None:
    assert read("GPU memory: 22.5 GB / 24 GB used")[Topic.GPU_MEMORY, "0"] == str(24 << 30)


@pytest.mark.parametrize("place", ["prose.read_sentence", "mentions.find_mentions"])
def test_a_log_that_looks_like_sentences_is_not_read_to_its_end(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = place.partition(".")
    reading = import_module(f"torchdoctor.readers.formats.{module}")
    works, calls = getattr(reading, name), itertools.count()

    def count(*arguments: object, **options: object) -> object:
        next(calls)
        return works(*arguments, **options)

    monkeypatch.setattr(reading, name, count)
    statements = [each for found in read_environment("my 3060\n" * 20_000) for each in found.statements]
    assert any(each.value.endswith("3060") for each in statements)
    assert next(calls) < 3000
