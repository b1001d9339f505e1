"""Concepts are the same in all languages that people ask in."""

import re
import time

import pytest

from torchdoctor.core.bundled import read_bundled
from torchdoctor.explain.own_words.concepts import find_concepts

UNUSED_CARD = {
    "English": "my graphics card is not used, only the processor",
    "German": "Meine Grafikkarte wird nicht benutzt, nur der Prozessor",
    "Russian": "видеокарта не используется, только процессор",
    "Chinese": "没有用显卡，只有处理器",
    "Spanish": "no usa la tarjeta gráfica, solo el procesador",
    "Korean": "그래픽카드를 사용하지 않고 프로세서만. cpu",
}


@pytest.mark.parametrize("text", UNUSED_CARD.values(), ids=UNUSED_CARD)
def test_finds_concepts_and_their_pairs_in_each_language(text: str) -> None:
    assert {"@cpu", "@gpu", "@unused", "@cpu gpu", "@cpu unused", "@gpu unused"} <= set(find_concepts(text))


def test_a_text_about_everything_has_no_pairs() -> None:
    names = [line.split(":")[0] for line in read_lines()]
    text = " ".join(
        [
            "gpu",
            "cpu",
            "ram",
            "vram",
            "nvidia",
            "amd",
            "intel",
            "slow",
            "fast",
            "hang",
            "crash",
            "reboot",
            "nan",
            "watt",
            "worker",
            "linux",
            "wsl",
            "update",
            "install",
            "driver",
            "version",
            "laptop",
            "bat",
            "window",
            "admin",
            "defender",
            "folder",
            "disk",
            "download",
            "proxy",
            "denied",
            "missing",
        ]
    )
    concepts = find_concepts(text)
    assert len(concepts) > 25
    assert {concept.removeprefix("@") for concept in concepts} <= set(names)


def test_names_fit_into_the_table() -> None:
    assert [line for line in read_lines() if not re.match(r"[a-z-]+: \S", line)] == []


def test_more_of_a_text_takes_no_longer() -> None:
    times = []
    for count in (20_000, 80_000):
        start = time.process_time()
        find_concepts("window it 装不上 black image rtx 5090 " * count)
        times.append(time.process_time() - start)
    assert times[1] < 3 * times[0] + 0.2


def read_lines() -> list[str]:
    lines = read_bundled("torchdoctor.explain.own_words", "concepts.txt").decode("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
