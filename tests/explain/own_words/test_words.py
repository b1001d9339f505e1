"""The words of a text, and the table of their weights."""

import time

import pytest

from torchdoctor.explain.own_words.words import NONE, find_words, weigh_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Torch crashes", ["torch", "crashes", "torch crashes"]),
        ("an RTX 5090", ["an", "card50", "an card50"]),
        ("rtx3060ti", ["card30"]),
        ("GTX 1660 Super", ["card16"]),
        ("Python 3.12.4", ["python", "py312", "python py312"]),
        ("at 0x7ffd12345678", ["at", "hex", "at hex"]),
        (
            "scipy 1.3.1 and QGIS 3.40.10",
            ["scipy", "and", "qgis", "40", "10", "scipy and", "and qgis", "qgis 40", "40 10"],
        ),
        (
            "960 MiB of 1080 images",
            ["960", "mib", "of", "1080", "images", "960 mib", "mib of", "of 1080", "1080 images"],
        ),
        (r"C:\Users\bob\x.py tmp1a2b3c4d", ["home", "py", "tmp", "home py", "py tmp"]),
        ("装不上torch", ["torch", "装不", "不上", "装不上"]),
        ("WinError 1455", ["winerror", "1455", "winerror 1455"]),
        ("", []),
    ],
)
def test_finds_words(text: str, words: list[str]) -> None:
    assert find_words(text) == words


def test_reads_the_start_and_the_end_of_a_long_text() -> None:
    words = find_words("first " + "middle " * 5000 + " last")
    assert (words[0], "last" in words) == ("first", True)
    assert len(words) < 2000


def test_labels_are_entries(knowledge) -> None:
    labels = set(weigh_words("").scores)
    assert NONE in labels and len(labels) > 100
    assert labels - {NONE} <= set(knowledge.entries)


def test_shares_of_words_add_up_to_the_gain() -> None:
    weighing = weigh_words("the dataloader workers hang on windows")
    assert max(weighing.gains.values()) > 0
    for label, gain in weighing.gains.items():
        assert gain == pytest.approx(sum(share.get(label, 0) for share in weighing.shares.values()))


def test_a_text_without_a_learned_word_says_nothing() -> None:
    weighing = weigh_words("qwxz")
    assert not weighing.shares
    assert set(weighing.gains.values()) == {0.0}


def test_more_of_a_text_takes_no_longer() -> None:
    times = []
    for count in (20_000, 80_000):
        start = time.process_time()
        weigh_words("torch 装不上 rtx 5090 0x1234 " * count)
        times.append(time.process_time() - start)
    assert times[1] < 3 * times[0] + 0.2
