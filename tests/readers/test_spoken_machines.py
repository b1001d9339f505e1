"""What people say of their machine in sentences that are made up of parts: each stated fact is read, and nothing else."""

import random
import re
from collections.abc import Iterator

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic

# How a card is written, and what of its name is to be read.
CARDS = {
    "RTX 4060": "4060",
    "RTX-3070": "3070",
    "gtx1660 super": "1660super",
    "gtx-1650S": "1650super",
    "1660ti": "1660ti",
    "4080": "4080",
    "4070 ti super": "4070tisuper",
    "2080S": "2080super",
    "3060 12gb": "3060",
    "RTX 3050 Laptop": "3050laptop",
    "4070 laptop": "4070laptop",
    "3080 mobile": "3080mobile",
    "nvidia 1070": "1070",
    "GeForce 3070": "3070",
    "Arc A750": "a750",
    "A580 8GB": "a580",
    "RTX PRO 5000 Blackwell": "pro5000",
    "RTX A5000": "a5000",
    "H100": "h100",
    "Quadro P1000": "p1000",
    "MX250": "mx250",
    "980ti": "980ti",
    "6800 XT": "6800xt",
    "7700xt": "7700xt",
    "RX 7600": "7600",
    "Радеон 6800хт": "6800xt",
    "9060 XT": "9060xt",
    "5090D": "5090d",
}
OWN = [
    "I have a {}.",
    "my card is a {}",
    "its a {} with the newest drivers",
    "using a {} here",
    "I'm using {} as my graphics card, so it should work",
    "running this on a {}",
    "Same here on {}",
    "same problem, {}",
    "got a {} recently and it does not work",
    "with my {} it fails",
    "My {} is not detected.",
    "I own a {}",
    "It works on the 3050 of a friend, but my {} dies",
    "The GPU is a {}.",
    "my PC has a {}",
    "I've got a {} in this machine",
    "2x {}",
    "my rig has two {}",
    "card: {}",
    "{} + 64 gigs",
    "win11, {}, 32GB RAM",
    "I switched to a {} last week",
    "我的显卡是{}",
    "显卡：{}",
    "我用的是{}",
    "win11系统，{}显卡",
    "使用{}运行报错",
    "у меня {}",
    "видеокарта {}",
    "на {} не работает",
    "Meine Grafikkarte ist eine {}.",
    "mit meiner {} geht es nicht",
    "ma carte graphique est une {}",
    "avec ma {} ça plante",
    "mi tarjeta gráfica es una {}",
    "tengo una {}",
    "tenho uma {}",
    "minha placa de vídeo é uma {}",
    "la mia scheda video è una {}",
    "GPUは{}です",
    "{}を使っています",
    "그래픽카드는 {} 입니다",
    "{} 사용중입니다",
    "mam {}",
]
ELSEWHERE = [
    "It works on my friend's {}.",
    "should I buy a {}?",
    "Would a {} be enough?",
    "I don't have a {}.",
    "I do not own a {}",
    "I wish I had a {}",
    "if I had a {} it would be fast",
    "thinking of buying a {}",
    "I plan to get a {} next month",
    "before this I had a {}",
    "It worked with my previous {}",
    "It runs on Colab with a {}",
    "The readme says a {} is required",
    "you need at least a {}",
    "my brother has a {}",
    "e.g. a {}",
    "someone with a {} said that it works",
    "Other users with {} report it too",
    "the author used a {}",
    "The model was trained on a {}",
    "faster than a {}",
    "unlike the {}, mine has no tensor cores",
    "does it work on {}?",
    "Please add support for {}",
    "I sold my {}",
    "on the server there is a {}",
    "I rented a {} by the hour",
    "I can't afford a {}",
    "I am waiting for my {} to arrive",
    "想买{}",
    "我朋友的{}可以运行",
    "服务器上是{}",
    "之前用的{}没有问题",
    "需要{}才行",
    "у друга {}, и все работает",
    "хочу купить {}",
    "у меня нет {}",
    "раньше была {}",
    "ein Freund hat eine {}",
    "brauche ich eine {}?",
    "mon ami a une {}",
    "je n'ai pas de {}",
    "je veux acheter une {}",
    "mi amigo tiene una {}",
    "no tengo una {}",
    "quiero comprar una {}",
    "meu amigo tem uma {}",
    "não tenho uma {}",
    "友達の{}では動きます",
    "{}を買うべきですか？",
    "친구의 {} 에서는 됩니다",
    "nie mam {}",
]
# How other things are written, and what is to be read of them.
PARTS = {
    "Windows 11": {"system": "windows"},
    "w11 24h2": {"system": "windows"},
    "win10 pro 22H2 19045": {"system": "windows", "build": "19045"},
    "windows 11 22631.3447": {"system": "windows", "build": "22631"},
    "Windows 11 24H2 (26100.3476)": {"system": "windows", "build": "26100"},
    "win11 pro 26100": {"system": "windows", "build": "26100"},
    "windows ltsb": {"system": "windows"},
    "Windows Server 2022": {"system": "windows"},
    "ubuntu 22.04": {"system": "linux"},
    "driver 572.83": {"driver": "572.83"},
    "drv 572.83": {"driver": "572.83"},
    "572.83 drivers": {"driver": "572.83"},
    "Game Ready 572.83": {"driver": "572.83"},
    "studio driver 572.83": {"driver": "572.83"},
    "NVIDIA 572.83": {"driver": "572.83"},
    "GRD 572.83": {"driver": "572.83"},
    "py 3.11": {"python": "3.11"},
    "py311": {"python": "3.11"},
    "Python3.11": {"python": "3.11"},
    "python 3.11 in a venv": {"python": "3.11"},
    "conda python 3.11": {"python": "3.11"},
    "cpython 3.11": {"python": "3.11"},
    "torch 2.7.0+cu128": {"torch": "2.7.0+cu128", "cuda": "12.8"},
    "torch nightly cu128": {"cuda": "12.8"},
    "torch 2.7 cu128": {"torch": "2.7", "cuda": "12.8"},
    "torch 2.7.0 (cu128)": {"torch": "2.7.0", "cuda": "12.8"},
    "torch 2.7.0 cpu": {"torch": "2.7.0", "cuda": "none"},
    "pt 2.7.0": {"torch": "2.7.0"},
    "32gb ram": {"ram": "32"},
    "32 gigs": {"ram": "32"},
    "32G RAM": {"ram": "32"},
    "32 GB of DDR4": {"ram": "32"},
    "2x16GB RAM": {"ram": "32"},
    "RAM 32GB": {"ram": "32"},
    **{card: {"gpu": name} for card, name in CARDS.items() if card.isascii()},
}
FRAMES = (
    "{}",
    "I'm on {}",
    "My setup: {}.",
    "It crashes on my machine ({}).",
    "I have {} and it fails",
    "Same here, {}",
    "Env: {}",
    "my laptop has {}",
    "specs - {}",
    "Using {}, it stops after a minute.",
    "got the same issue here: {}",
)
TOPICS = {
    "system": Topic.SYSTEM,
    "build": Topic.WINDOWS_BUILD,
    "driver": Topic.DRIVER,
    "python": Topic.PYTHON,
    "torch": Topic.TORCH,
    "cuda": Topic.TORCH_CUDA,
    "ram": Topic.MEMORY,
    "gpu": Topic.GPU,
    "driver_cuda": Topic.DRIVER_CUDA,
    "toolkit": Topic.TOOLKIT,
}


def read(text: str) -> dict[str, str]:
    """Return what a text states under the names of topics; of a card, the number and its letters."""
    found = {}
    for environment in read_environment(f"torch fails.\n\n{text}\n\nWhat can I do here?"):
        for name, topic in TOPICS.items():
            values = [each.value for each in environment.statements if each.topic is topic]
            if topic is Topic.MEMORY:
                values = [str(int(value) >> 30) for value in values]
            if topic is Topic.GPU:
                values = [simplify(value) for value in values]
            if values:
                found[name] = ", ".join(values)
    return found


def simplify(card: str) -> str:
    maker = r"nvidia|geforce|intel|amd|radeon|\W|rtx|gtx|rx|arc|quadro|blackwell|gpu"
    return re.sub(maker, "", card.lower())


@pytest.mark.parametrize("frame", OWN)
def test_own_card_is_read(frame: str) -> None:
    missed = {card: read(frame.format(card)).get("gpu") for card in CARDS}
    assert missed == CARDS


@pytest.mark.parametrize("frame", ELSEWHERE)
def test_card_that_is_elsewhere_is_none_of_the_machine(frame: str) -> None:
    assert {card: found for card in CARDS if (found := read(frame.format(card)).get("gpu"))} == {}


def compose(seed: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield lists of two to four things in a sentence, and what each text states."""
    chance = random.Random(seed)
    kinds: dict[str, list[str]] = {}
    for part, stated in PARTS.items():
        kinds.setdefault({"cuda": "torch"}.get(next(iter(stated)), next(iter(stated))), []).append(part)
    for frame in FRAMES:
        for joint in (", ", ",", " / ", " + ", " and "):
            parts = [
                chance.choice(kinds[kind]) for kind in chance.sample(sorted(kinds), chance.choice((2, 3, 4)))
            ]
            expected: dict[str, str] = {}
            for part in parts:
                expected.update(PARTS[part])
            yield frame.format(joint.join(parts)), expected


@pytest.mark.parametrize("seed", range(8))
def test_each_thing_of_a_list_is_read(seed: int) -> None:
    assert [(text, found) for text, expected in compose(seed) if (found := read(text)) != expected] == []
