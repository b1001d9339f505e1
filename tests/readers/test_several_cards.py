"""Sentences that name several cards: of one machine, or one of which is not there."""

import itertools

import pytest

from tests.readers.conftest import read_stated

CARDS = ("RTX 3060", "GTX 1050 Ti", "RTX 5060 Ti", "Tesla K80", "Quadro P2000", "RTX 4090")
PAIRS = tuple(itertools.permutations(CARDS, 2))
TOGETHER = (
    "I have an {0} and a {1}.",
    "I have an {0} (12 GB) and an old {1} in this PC.",
    "My PC has an {0}, 16 GB, and a {1} as the second card.",
    "GPU 0 is an {0}, GPU 1 a {1}.",
    "cuda:0 is the {0}, cuda:1 is the {1}",
    "There are two GPUs, {0} + {1}.",
    "My rig: {0} & {1}",
    "Ich habe eine {0} und eine {1}.",
    "我有 {0} 和 {1}",
    "tengo una {0} y una {1}",
    "win11, {0} and {1}, torch 2.6",
)
NOT_BOTH = (
    "I have an {0} or a {1}, I do not know.",
    "My PC has an {0}, which is faster than a {1}.",
    "I have an {0} instead of the {1}.",
    "I have an {0} and my friend has a {1}.",
    "I have an {0}, and I want to buy a {1}.",
    "Should I get an {0} and a {1}?",
    "An {0} and a {1} are supported.",
    "It works on {0} vs {1}.",
    "We tested it with {0} and {1}.",
)


@pytest.mark.parametrize("frame", TOGETHER)
def test_cards_of_one_machine_are_read(frame: str) -> None:
    missed = [pair for pair in PAIRS if read_stated(frame.format(*pair), "gpu") != ", ".join(sorted(pair))]
    assert missed == []


@pytest.mark.parametrize("frame", NOT_BOTH)
def test_a_card_that_is_not_there_is_not_read(frame: str) -> None:
    read = [pair for pair in PAIRS if ", " in read_stated(frame.format(*pair), "gpu")]
    assert read == []


@pytest.mark.parametrize("frame", NOT_BOTH)
def test_the_second_card_of_a_comparison_is_not_read(frame: str) -> None:
    assert [pair for pair in PAIRS if pair[1] in read_stated(frame.format(*pair), "gpu")] == []


def test_memory_is_that_of_the_card_before_it() -> None:
    text = "I have an RTX 5060 Ti, 16 GB, and a GTX 1080 Ti (11 GB) as the second card."
    assert read_stated(text, "vram") == "11, 16"
