"""What a text says of another machine, an attempt or a limit, beside what it says of the own machine."""

from itertools import product

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic


def read(text: str, topic: Topic) -> set[str]:
    return {
        statement.value
        for environment in read_environment(text)
        for statement in environment.statements
        if statement.topic is topic
    }


FAILED = (
    "ERROR: No matching distribution found for torch",
    "ERROR: Could not find a version that satisfies the requirement torch (from versions: none)\n"
    "ERROR: No matching distribution found for torch",
)
BESIDE = (
    "{}",
    "pip install torch --index-url https://download.pytorch.org/whl/cu121\n{}",
    "python -m pip install --force-reinstall torch torchvision\n{}\n\nWindows 11, Python 3.14",
    "Ошибка:\n{}\n\nWindows 11, Python 3.10.11",
)


@pytest.mark.parametrize(("failed", "beside"), list(product(FAILED, BESIDE)))
def test_installation_that_failed_says_nothing_of_what_is_there(failed: str, beside: str) -> None:
    assert not read(beside.format(failed), Topic.TORCH)


HEADS = (
    "someone · comment · 2025-06-04",
    "someone commented on Jun 4, 2025",
    "**someone** commented 2 days ago",
    "some-one commented yesterday",
    "On Wed, Jun 4, 2025 at 10:11 AM Some One <one@example.org> wrote:",
)
OWN = 'File "C:\\envs\\app\\lib\\site-packages\\torch\\__init__.py", line 90, in __init__'
OTHERS = (
    "Here's my environment:\nPython 3.10.16 (main, Dec 11 2024, 16:24:50) [GCC 11.2.0] on linux",
    "sys.platform: linux\nPython: 3.10.16 (main, Dec 11 2024, 16:24:50) [GCC 11.2.0]\nPyTorch: 2.3.1",
)


@pytest.mark.parametrize(("head", "other"), list(product(HEADS, OTHERS)))
def test_comment_about_another_system_is_of_another_machine(head: str, other: str) -> None:
    own, *others = read_environment(f"It crashes.\n\n{OWN}\n\n{head}\n{other}\n")
    found = own.find(Topic.SYSTEM)
    assert found is not None
    assert (found.value, own.find(Topic.PYTHON), len(others)) == ("windows", None, 1)


def test_comment_that_agrees_is_of_the_same_machine() -> None:
    text = f"Windows 11\n\n{OWN}\n\nsomeone · comment · 2025-06-04\nPython 3.11.9 on Windows 11"
    assert len(read_environment(text)) == 1


LIMITS = (
    "torch 1.8.0 이상 지원을 검토 부탁드립니다",
    "torch 1.8.0 미만",
    "torch 1.8.0 以降",
    "torch 1.8.0 及以上",
    "torch 1.8.0 и выше",
    "torch 1.8.0 oder höher",
    "torch 1.8.0 ou supérieur",
    "torch 1.8.0 o superior",
    "torch 1.8.0 or newer",
)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("layout", ["{}", "# {}", "- {}", "OS: ubuntu 18.04\n\n{}"])
def test_limit_is_no_version(limit: str, layout: str) -> None:
    assert not read(layout.format(limit), Topic.TORCH)


@pytest.mark.parametrize("name", ["Yolov5", "yolov5", "YOLOv5"])
def test_sentence_about_a_program_is_not_what_it_prints(name: str) -> None:
    text = f"I can work {name} on cuda 9.0, cudnn 7.1.2, torch 1.10.1, well.\n\nMy setting is torch 1.10.2, torchvision 0.11.3."
    assert "1.10.1" not in read(text, Topic.TORCH)


CARDS = ("RTX 5090", "Nvidia A40-48Q", "GTX 1080", "GeForce GT 710", "NVS 310")


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize(
    "new", ["I have a new GPU {}.", "However, I have New GPU {}.", "I bought a new card: {}"]
)
def test_new_card_is_the_one_that_is_there(card: str, new: str) -> None:
    text = f"In fact, I used Nvidia V100 and it was fine.\n{new.format(card)}"
    assert read(text, Topic.GPU) == {card}


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize(
    "own",
    ["It uses only the cpu for training instead of my gpu ({} ) and it is slow.", "My gpu is  {} so I guess it can.", "my graphics card: {}"],
)  # fmt: skip
def test_own_card(card: str, own: str) -> None:
    assert read(own.format(card), Topic.GPU) == {card}


@pytest.mark.parametrize(
    "own", ["My friend told me that the old gpu is a {}.", "Should I replace my gpu ({})?"]
)
def test_card_of_which_it_is_not_sure(own: str) -> None:
    assert not read(own.format("RTX 5090"), Topic.GPU)


def test_answer_on_a_server_is_not_that_of_the_own_machine() -> None:
    text = "torch.cuda.is_available()发现是False\n服务器上torch.cuda.is_available() 为True，本地不行。\n后来我本地win10机器，torch.cuda.is_available() 就是False"
    assert read(text, Topic.CUDA_AVAILABLE) == {"no"}
