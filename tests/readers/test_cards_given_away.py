"""A card that was sold, or is only planned, is not the one of the computer."""

import pytest

from torchdoctor.explain.computer.cards import read_card
from torchdoctor.explain.statements.own_lines import find_own_lines
from torchdoctor.explain.text.clean import Line

TOLD = (
    ("I sold my RTX 3080 and now have a Radeon RX 7800 XT in the same PC.", "amd"),
    ("My RTX 3080 is sold, the PC has a Radeon RX 7800 XT.", "amd"),
    ("Replaced the RTX 3080 with a Radeon RX 7800 XT.", "amd"),
    ("Meine RTX 3080 habe ich verkauft, jetzt Radeon RX 7800 XT.", "amd"),
    ("卖掉 RTX 3080，现在是 Radeon RX 7800 XT", "amd"),
    ("I will buy an RTX 5090. Now: Radeon RX 6800", "amd"),
    ("I am thinking of buying an RTX 5090. I have a Radeon RX 6800.", "amd"),
    ("Ich will eine RTX 5090 kaufen. Noch ist es eine Radeon RX 6800.", "amd"),
    ("Хочу купить RTX 5090. Сейчас Radeon RX 6800", "amd"),
    ("打算买 RTX 5090。现在用 Radeon RX 6800", "amd"),
    ("I sold my Radeon RX 6800 XT and have an RTX 4070 now.", "nvidia"),
    ("I sold my RTX 3080.", "nvidia"),
    ("I will buy an RTX 5090.", "nvidia"),
    ("AMD iGPU 780M, HSA_OVERRIDE_GFX_VERSION=11.0.0 set, torch 2.6.0+cpu", "amd"),
    ("Ryzen 7 with AMD iGPU 780M and RTX 4060 laptop", "nvidia"),
    ("The script fails on a PC without an NVIDIA card.", "none"),
    ("The script fails on a PC without NVIDIA drivers.", "nvidia"),
    ("a laptop with an integrated Radeon 780m and a dedicated 4070. Why?", None),
)


@pytest.mark.parametrize(("told", "maker"), TOLD)
def test_maker_is_that_of_the_card_that_is_there(told: str, maker: str | None) -> None:
    own = find_own_lines([Line(number, text) for number, text in enumerate(told.split("\n"), 1)])
    assert read_card("\n".join(line.text for line in own)).get("maker") == maker
