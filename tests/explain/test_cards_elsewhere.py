"""Where a computer has no card of NVIDIA, those of other people and computers do not count."""

from itertools import product

import pytest

from torchdoctor import explain

ERROR = "AssertionError: Torch not compiled with CUDA enabled"
CARDS = ("RTX 3090", "GTX 1060", "RTX 4070 Ti", "NVIDIA GeForce RTX 5080")
# How a text says that its computer has none, and how it names another card, in one language.
TEXTS = {
    "en": (
        (
            "Laptop with Intel Iris Xe, no NVIDIA.",
            "My laptop has no NVIDIA card, only Intel UHD 620.",
            "No NVIDIA GPU in this PC.",
            "I have no dedicated NVIDIA graphics card here.",
            "This laptop has only Intel UHD 620.",
        ),
        (
            "A friend with an {} has no problem.",
            "At home I have an {}.",
            "My colleague has an {} and there it works.",
            "It works on my other PC with an {}.",
            "I plan to buy an {}.",
            "On my friend's desktop ({}, driver 551.23, torch 2.2.0+cu121) everything works.",
        ),
    ),
    "de": (
        ("Der Laptop hat keine NVIDIA-Karte.", "Ich habe nur eine Intel UHD 620."),
        ("Ein Freund hat eine {} ohne Probleme.", "Zuhause habe ich eine {}.", "Mein Kollege nutzt eine {}."),
    ),
    "fr": (
        ("Mon PC n'a pas de carte NVIDIA.", "J'ai seulement une Intel UHD 620."),
        ("Un ami a une {} et ça marche.", "Chez moi j'ai une {}."),
    ),
    "es": (
        ("No tengo tarjeta NVIDIA.", "Mi portátil tiene solo Intel UHD 620."),
        ("Un amigo tiene una {} y funciona.", "En casa tengo una {}."),
    ),
    "pt": (
        ("Não tenho placa NVIDIA.", "Meu notebook tem apenas Intel UHD 620."),
        ("Um amigo tem uma {} e funciona.", "Em casa tenho uma {}."),
    ),
    "it": (
        ("Non ho una scheda NVIDIA.", "Il mio portatile ha solo Intel UHD 620."),
        ("Un amico ha una {} e funziona.", "L'altro PC ha una {}."),
    ),
    "pl": (
        ("Nie mam karty NVIDIA.", "Laptop ma tylko Intel UHD 620."),
        ("Kolega ma {} i działa.", "W domu mam {}."),
    ),
    "tr": (
        ("NVIDIA ekran kartım yok.", "Sadece Intel UHD 620 var."),
        ("Arkadaşımda {} var.", "Evde {} var."),
    ),
    "ru": (
        ("На ноутбуке нет видеокарты NVIDIA.", "Тут только Intel UHD 620."),
        ("У друга {} и все работает.", "Дома есть {}."),
    ),
    "zh": (
        ("我的笔记本没有NVIDIA显卡。", "电脑只有Intel核显。"),
        ("朋友的 {} 没问题。", "家里另一台电脑是 {}。"),
    ),
    "ja": (
        ("このPCにNVIDIAのGPUはありません。", "Intel UHDのみです。"),
        ("友人の {} では動きます。", "自宅のPCは {} です。"),
    ),
    "ko": (
        ("이 노트북에는 NVIDIA 그래픽 카드가 없습니다.",),
        ("친구의 {} 에서는 됩니다.", "집 PC는 {} 입니다."),
    ),
}
FRAMES = [
    (denial, other)
    for language, (denials, others) in TEXTS.items()
    for denial, other in product(denials, others)
]


@pytest.mark.parametrize(("denial", "other"), FRAMES)
def test_card_elsewhere_brings_no_cuda_build(denial: str, other: str) -> None:
    for card in CARDS:
        named = other.format(card)
        for text in (f"{denial} {named}", f"{named} {denial}", f"{denial}\n{named}"):
            explained = explain(f"{text}\ntorch 2.2.0+cpu\n{ERROR}")
            (first, *_) = explained.diagnoses
            assert first.name == "cpu-only-build", text
            assert explained.values["maker"] == "none", text
            assert "sm" not in explained.values, text
            assert not any("/whl/cu" in step for step in first.fix), (text, first.fix)


@pytest.mark.parametrize(
    "text",
    [
        "I have an {}. Device Manager shows only Intel UHD 620.",
        "torch says no NVIDIA GPU, but I have an {}.",
        "RuntimeError: no NVIDIA GPU found\nMy card is an {}.",
        "My old PC had no NVIDIA card. Now I have an {}.",
        "My friend has no NVIDIA card. I have an {}.",
        "Intel UHD 620 and an {} in this laptop.",
        "The laptop has no NVIDIA card. On my desktop with an {} I get this error.",
        "No NVIDIA driver, {}.",
        "It says there is no NVIDIA GPU in this computer. I have an {}.",
        "I installed CUDA without an NVIDIA account. {} from a friend.",
        "It is not an NVIDIA issue, I think. My friend's {} fails, too.",
        "I'm at home, with only Intel UHD, the {} is in my desktop at work, where it fails.",
        "The program detects only Intel UHD 620 and not my {}.",
    ],
)
def test_own_card_counts(text: str) -> None:
    for card in CARDS:
        explained = explain(f"{text.format(card)}\ntorch 2.2.0+cpu\n{ERROR}")
        assert explained.values["maker"] == "nvidia", text


@pytest.mark.parametrize(
    "text",
    [
        "I will buy an {}. Now: GTX 1060",
        "My GTX 1060 is slow. I'm going to order an {}.",
        "GTX 1060, but I plan to buy an {}",
    ],
)
def test_planned_card_does_not_count_beside_another_one(text: str) -> None:
    for card in ("RTX 5090", "RTX 4070 Ti", "NVIDIA GeForce RTX 5080"):
        assert explain(f"{text.format(card)}\n{ERROR}").values["sm"] == "sm_61", text
        assert explain(f"I will buy an {card}.\n{ERROR}").values["sm"] != "sm_61"
