"""What clauses name, of whose machine, and at which time."""

import pytest

from tests.readers.conftest import check_stated as check
from torchdoctor import read_environment
from torchdoctor.readers import Topic
from torchdoctor.readers.mention_grammar import find_mentions
from torchdoctor.readers.voices import Voice, list_clauses


@pytest.mark.parametrize(
    ("text", "topic", "value"),
    [
        (f"{name}{joint}{version}{end}", topic, version)
        for name, topic, version in (
            ("Python", Topic.PYTHON, "3.10.6"),
            ("PyTorch", Topic.TORCH, "2.1.0"),
            ("numpy", Topic.PACKAGE, "1.26.4"),
            ("NVIDIA driver", Topic.DRIVER, "537.13"),
            ("CUDA Toolkit", Topic.TOOLKIT, "12.8"),
        )
        for joint in (" ", ": ", " = ", " (v. ", " version is `", " ( ", "-", " v")
        for end in ("", ")", "`", ", and more", ".")
    ],
)
def test_a_name_is_joined_with_its_version(text: str, topic: Topic, value: str) -> None:
    assert [each.value for each in find_mentions(text) if each.topic is topic] == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1060gtx 6GB", "gtx 1060"),
        ("3060laptop", "RTX 3060 laptop"),
        ("4080 RTX", "RTX 4080"),
        ("an rtx3070 mobile", "rtx3070 mobile"),
        ("two 3090 GPUs", "RTX 3090"),
        ("GPU is A10", "NVIDIA A10"),
        ("一张 3060 的独立显卡", "RTX 3060"),
        ("Radeon RX 570", "Radeon RX 570"),
    ],
)
def test_names_of_cards(text: str, value: str) -> None:
    assert [each.value for each in find_mentions(text) if each.topic is Topic.GPU] == [value]


@pytest.mark.parametrize(
    "text",
    ["RTX 3090 or 4000 series", "my RTX 5000", "python 3.x", "numpy 2.x", "torch 2.1+", "torch 2.1 or newer"],
)
def test_what_is_no_card_and_no_version(text: str) -> None:
    assert find_mentions(text) == []


@pytest.mark.parametrize(
    ("text", "voices"),
    [
        ("I tried everything, im on torch 2.1", (Voice.OTHER, Voice.OWN)),
        ("I have torch 2.1, but it needs torch 2.5", (Voice.OWN, Voice.OTHER)),
        ("since I already had CUDA Toolkit 12.8 installed", (Voice.OWN,)),
        ("my friend has an RTX 3090", (Voice.OTHER,)),
        ("If I run it on windows it fails", (Voice.OTHER,)),
        ("This was with torch 2.8", (Voice.OTHER,)),
        ("Does it run on torch 2.1?", (Voice.OTHER,)),
        ("The crash is in line 5", (Voice.OPEN,)),
    ],
)
def test_whose_machine_a_clause_is_about(text: str, voices: tuple[Voice, ...]) -> None:
    assert tuple(each.voice for each in list_clauses(text)) == voices


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I need help with this error on windows.", "system windows"),
        (
            "Ive tried everything im on Torch 2.1 and TV 0.16 and have python 3.10.6.",
            "torch 2.1; python 3.10.6",
        ),
        ("MacBook, venv, pip installed torch (v. 1.10.1) and numpy(1.21.4).", "torch 1.10.1; origin venv"),
        ("I get an error saying 'Pytorch compiled without CUDA'.", "cuda none"),
        (
            "I have installed CUDA 12.2 with Python3.10.6 on WIN 10.",
            "toolkit 12.2; python 3.10.6; system windows",
        ),
        (
            "running on rtx 3090 gpu. 2x16 ddr5 5200mhz ram on a windows 10 home system.",
            "ram 32; gpu rtx 3090",
        ),
        ("i got rtx 3090 24gb vram, 16gb ram\nand it happens often", "gpu rtx 3090; ram 16"),
        ("I bought a new RTX 4060 ti and have been using it every day.", "gpu RTX 4060 ti"),
        ("Windows PC, 64 bit operating system, 4GbRAM, Python 64bit version 3.10.6", "ram 4; python 3.10.6"),
        ("Windows 11\nNVIDIA GeForce RTX 3080\nCUDA Driver 13.1", "driver_cuda 13.1"),
        ("如题，PyTorch安装的是CPU版本，运行程序的时候也是使用CPU。", "cuda none"),
        ("我的笔记本有一张3060的独立显卡 但是只显示了CPU", "gpu RTX 3060"),
        ("I did a new install which gave me PyTorch 2.9.1 and cu130.", "torch 2.9.1; cuda 13.0"),
        ("That was with a Pytorch 2.8, cu128 setup.", "torch; cuda"),
        ("I updated my NVIDIA drivers to version 384.98, but I'm still getting this error.", "driver 384.98"),
        ("GeForce GTX 1060, Driver version 25.21.14.1891", "driver 418.91"),
        ("Using RTX 3090 or 4000 series which has problems.", "gpu"),
        ("torch 2.7 crashed, torch 2.8 crashed too.", "torch"),
        ("windows10, python3.9 (miniconda), cudatoolkit11.3, rtx3060,", "origin conda; toolkit"),
        (".\\venv\\Scripts\\activate", "origin venv"),
        ("conda activate mmdetection", "origin conda"),
        ("(venv) (base) D:\\app>python run.py", "origin venv"),
        ("Виртуальное окружение: venv", "origin venv"),
        ("CUDA available: True\nCUDA version: 12.1", "cuda 12.1; available yes"),
        ("driver supports up to CUDA 12.5", "driver_cuda 12.5"),
        ("-ID:\\Anaconda3\\envs\\app\\lib\\site-packages\\torch\\include", "origin conda"),
        ("C:\\Users\\<me>\\anaconda3\\envs\\app\\lib\\site-packages\\x.py", "origin conda"),
        (
            "error: command 'C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v10.1\\bin\\nvcc.exe' failed",
            "toolkit 10.1",
        ),
        ('i get torch.__version__ = "2.1.0" instead of torch.__version__="2.1.0+cu118"', "torch 2.1.0; cuda"),
        (
            "I installed pytorch by\n```\nconda install pytorch==1.7.1 cudatoolkit=11.0 -c pytorch\n```",
            "origin conda",
        ),
        (
            'python -c "import torch; print(torch.__version__); print(torch.cuda.is_available())"\n\nreturned:\n\n'
            "2.4.0+cpu\nFalse",
            "torch 2.4.0+cpu; available no",
        ),
    ],
)
def test_what_is_named_of_the_own_machine(text: str, expected: str) -> None:
    check(text, expected)


def test_another_persons_words_state_nothing() -> None:
    quoted = 'I read a solution on another forum: """""I do not know.\nThis is a gtx 1080ti problem.\nSet it.""""" Thanks.'
    check(f"{quoted}\nMy card is a GTX 1060.", "gpu GTX 1060")


def test_a_name_that_a_table_cuts_off_is_completed() -> None:
    table = "|   0  NVIDIA GeForce ...  On   | 00000000:0A:00.0  On |                  N/A |"
    check(f"{table}\nI have an RTX 3090.", "gpu RTX 3090")


def test_a_card_that_is_denied_is_none() -> None:
    text = "Hardware: Qualcomm Snapdragon X Elite (Oryon cores, no NVIDIA GPU)"
    assert all(each.find(Topic.GPU) is None for each in read_environment(text))
