"""The ways in which people and programs state a value, each with each: names, joints, layouts, languages."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic
from torchdoctor.readers.prefixes import strip_prefix
from torchdoctor.readers.table import FORMATS

Value = tuple[Topic, str]

# A label in ten languages, and the value below it.
FIELDS: dict[Value, tuple[str, tuple[str, ...]]] = {
    (Topic.PYTHON, "3.10.6"): (
        "3.10.6",
        ("Python", "Python version", "Python 版本", "Python バージョン", "Версия Python", "Python-Version",
         "Version de Python", "Versión de Python", "Versão do Python", "Python 버전", "Current Python"),
    ),
    (Topic.TORCH, "2.1.0"): (
        "2.1.0",
        ("torch", "PyTorch version", "PyTorch 版本", "PyTorch バージョン", "Версия PyTorch", "PyTorch-Version",
         "Version de PyTorch", "Versión de torch", "Versão do PyTorch", "PyTorch 버전", "Installed torch"),
    ),
    (Topic.GPU, "NVIDIA GeForce RTX 3060"): (
        "NVIDIA GeForce RTX 3060",
        ("GPU", "Graphics card", "显卡", "グラフィックボード", "Видеокарта", "Grafikkarte", "Carte graphique",
         "Tarjeta gráfica", "Placa de vídeo", "그래픽카드", "GPU model", "显卡型号", "Video card"),
    ),
    (Topic.DRIVER, "551.23"): (
        "551.23",
        ("Driver", "NVIDIA driver version", "显卡驱动版本", "ドライバーバージョン", "Версия драйвера", "Treiber",
         "Treiberversion", "Version du pilote", "Versión del controlador", "Versão do driver", "드라이버 버전"),
    ),
    (Topic.SYSTEM, "windows"): (
        "Windows 11",
        ("OS", "Operating system", "操作系统", "オペレーティングシステム", "Операционная система", "Betriebssystem",
         "Système d'exploitation", "Sistema operativo", "Sistema operacional", "운영체제", "Platform"),
    ),
    (Topic.MEMORY, str(32 << 30)): (
        "32 GB",
        ("RAM", "Memory", "内存", "メモリ", "Оперативная память", "Arbeitsspeicher", "Mémoire vive", "Memoria RAM",
         "Memória RAM", "메모리", "System RAM"),
    ),
    (Topic.GPU_MEMORY, str(12 << 30)): (
        "12 GB",
        ("VRAM", "GPU memory", "显存", "ビデオメモリ", "Видеопамять", "Grafikspeicher", "Mémoire vidéo",
         "Memoria de vídeo", "Memória de vídeo", "비디오 메모리", "显存大小"),
    ),
    (Topic.CUDA_AVAILABLE, "no"): (
        "False",
        ("CUDA available", "torch.cuda.is_available()", "CUDA 是否可用", "CUDA 利用可能", "CUDA доступна",
         "CUDA verfügbar", "CUDA disponible", "CUDA disponível", "Is CUDA available", "GPU available"),
    ),
}  # fmt: skip
# A label and its value in a line, or below each other.
LAYOUTS = (
    "{}: {}",
    "{}：{}",
    "- {}: {}",
    "* **{}:** {}",
    "**{}**: {}",
    "| {} | {} |",
    "{}\t: {}",
    "{} = {}",
    "{} - {}",
    "> {}: {}",
    "1. {}: {}",
    "- [x] {}: {}",
    "### {}\n\n{}",
    "### {}\n\n```\n{}\n```",
    "**{}**\n\n{}",
    "{}:\n{}",
    "Q: {}?\nA: {}",
    "{}:\n\n```shell\n{}\n```",
)
# Of these, a plain line of words has no value.
NOT_STATED_SO = {
    ("{} = {}", Topic.PYTHON),
    ("{} = {}", Topic.TORCH),
    ("{} - {}", Topic.SYSTEM),
    ("{} - {}", Topic.GPU),
    ("{} - {}", Topic.CUDA_AVAILABLE),
}


def read(text: str) -> set[Value]:
    return {
        (statement.topic, statement.value)
        for environment in read_environment(text)
        for statement in environment.statements
    }


def find_missed(cases: Sequence[tuple[str, Sequence[Value]]]) -> list[tuple[str, Value]]:
    """Return the values that are not read from their text; all texts are read in one go."""
    lines: list[tuple[int, str]] = []
    owners: dict[int, int] = {}
    for place, (text, _) in enumerate(cases):
        for line in (*text.split("\n"), "", "."):
            lines.append((len(lines) + 1, strip_prefix(line)))
            owners[len(lines)] = place
    found = {
        (owners[statement.line], statement.topic, statement.value)
        for each in FORMATS
        for statement in each.load()(lines)
    }
    return [
        (text, value)
        for place, (text, values) in enumerate(cases)
        for value in values
        if (place, *value) not in found
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_fields_of_forms(layout: str) -> None:
    cases = [
        (layout.format(label, text), [value])
        for value, (text, labels) in FIELDS.items()
        for label in labels
        if (layout, value[0]) not in NOT_STATED_SO
    ]
    assert not find_missed(cases)


# What a machine has, as people name it in a sentence.
ITEMS: dict[Value, tuple[str, ...]] = {
    (Topic.PYTHON, "3.10.6"): ("Python 3.10.6", "python3.10.6", "python version 3.10.6", "Python v3.10.6", "Python: 3.10.6"),
    (Topic.TORCH, "2.1.0"): ("torch 2.1.0", "PyTorch 2.1.0", "pytorch version 2.1.0", "torch v2.1.0", "`torch` 2.1.0"),
    (Topic.GPU, "RTX 3060"): ("RTX 3060", "an RTX 3060", "my RTX 3060"),
    (Topic.DRIVER, "551.23"): ("driver 551.23", "driver version 551.23", "NVIDIA driver: 551.23"),
    (Topic.SYSTEM, "windows"): ("Windows 11", "Win11", "win 11", "W11"),
}  # fmt: skip
SENTENCES = (
    "I have {}.",
    "I'm using {} here.",
    "My setup: {}",
    "I am on {}, and it crashes.",
    "We use {} and {}.",
    "{}, {}",
    "{} / {}",
    "{} + {}",
    "I run {} with {}, nothing else changed, but it does not work.",
    "{}, {}, with a VPN, downloads work.",
    "My environment is {}, {}. Why does it fail?",
    "Hi, I have {} and {} but get an error.",
)


def fill(sentence: str, others: Iterator[str]) -> str:
    while "{}" in sentence:
        sentence = sentence.replace("{}", next(others), 1)
    return sentence


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences(sentence: str) -> None:
    cases = []
    for (value, words), (other, others) in product(ITEMS.items(), ITEMS.items()):
        if value != other:
            for word in words:
                text = fill(sentence, iter((word, others[0])))
                cases.append((text, [each for each in (value, other) if each is value or others[0] in text]))
    assert not find_missed(cases)


WISHES = (
    "You need {}.",
    "It requires {} and {}.",
    "Please install {}.",
    "I want to upgrade to {}.",
    "Supported: {}, {}",
    "Does it work with {}?",
    "It was tested with {} and {} by the authors.",
    "If you have {}, use {}.",
    "The README recommends {}.",
    "My friend has {} and {}.",
    "需要 {}",
    "推荐使用 {}，{}",
    "Нужен {} и {}",
    "## Requirements\n\n- {}\n- {}",
    "Prerequisites:\n\n* {}\n* {}",
)


@pytest.mark.parametrize("sentence", WISHES)
def test_wishes_state_nothing(sentence: str) -> None:
    read_ones = []
    values = [(Topic.PYTHON, "3.10.6"), (Topic.TORCH, "2.1.0")]
    for value, (_, others) in product(values, ITEMS.items()):
        text = fill(sentence, iter((ITEMS[value][0], others[0])))
        read_ones += [text for each in read(text) if each == value]
    assert not read_ones


PREFIXES = (
    "",
    "> ",
    "[2025-10-13 18:27:05,692][DEBUG] ",
    "2024-12-04T15:02:26.125389 - ",
    "2024-11-02 17:23:11,725 - root - INFO - ",
    "[INFO] ",
    "INFO: ",
    "INFO:root:",
    "10:13:08-336582 INFO     ",
    "12:01:33 | INFO | ",
    "2024-12-04 15:02:26.125 | INFO     | main:run:12 - ",
    "app-1  | ",
    "2024-01-01T00:00:00.0000000Z ",
    "[12/26/24 10:11:12] INFO     ",
    "[W NNPACK.cpp:64] ",
)
PRINTED = (
    ("pytorch version: 2.1.0+cu121", (Topic.TORCH, "2.1.0+cu121")),
    ("Device: cuda:0 NVIDIA GeForce RTX 3060 : native", (Topic.GPU, "NVIDIA GeForce RTX 3060")),
    ("Python version: 3.10.6 (tags/v3.10.6:9c7b4bd, Aug  1 2022, 21:53:49) [MSC v.1932 64 bit (AMD64)]", (Topic.PYTHON, "3.10.6")),
    ("Platform: Windows", (Topic.SYSTEM, "windows")),
    ("NVIDIA Driver: 551.23", (Topic.DRIVER, "551.23")),
)  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
def test_lines_of_logs(prefix: str) -> None:
    assert not find_missed([(f"{prefix}{line}", [value]) for line, value in PRINTED])
