"""What people see of a problem is heard in the words of several languages, sentence by sentence."""

import sys

import pytest

from torchdoctor.core.bundled import read_bundled
from torchdoctor.explain import Confidence, explain
from torchdoctor.explain.own_words.concepts import read_concepts
from torchdoctor.explain.own_words.heard import find_heard
from torchdoctor.knowledge import Knowledge, parse_entry

BODY = "# T\n\nLead.\n\n## Why\n\nw\n\n## Fix\n\n1. Step.\n\n## Verify\n\nv\n"
GOES_OFF = {
    "English": "Whenever I generate a picture my PC suddenly powers off",
    "German": "Sobald das Training beginnt, startet der Rechner einfach neu",
    "French": "Mon ordinateur redémarre tout seul",
    "Spanish": "El ordenador se reinicia solo",
    "Portuguese": "meu computador reinicia sozinho",
    "Russian": "компьютер сам перезагружается",
    "Chinese": "一跑训练电脑就重启",
    "Japanese": "生成を始めるとパソコンの電源が落ちます",
    "Korean": "컴퓨터가 재부팅됩니다",
    "Turkish": "bilgisayarım yeniden başlıyor",
    "Polish": "komputer restartuje się",
}
# The same fact in several ways of saying "not".
FAILS = (
    "My 5090 doesn't work",
    "my rtx 5090 does not work",
    "the 5090 doesnt work",
    "5090 won't run",
    "5090 can't run",
)
# The things of a fact are in one sentence, and so is a phrase.
APART = (
    "My PC is a nice one. The test restarts the counter.",
    "the pc is fine\nit shuts down the pool of connections",
)
# An entry that words alone put elsewhere, or behind the texts that no entry is about.
SEEN = {
    "hardware-fault": "Training with pytorch worked for months, and since Monday my PC shuts down after some minutes of it.",
    "missing-main-guard": "After the last epoch the training starts again from the beginning, for each worker. Windows 11",
    "frozen-app-multiprocessing": "built my pytorch tool with pyinstaller, and it keeps opening new windows again and again",
    "half-precision-gtx16": "The picture is black each time I use stable diffusion. My card is a GTX 1660.",
    "unseeded-loader": "With workers my random crop is the same in several batches. How do I stop that in torch?",
}


@pytest.mark.parametrize("text", GOES_OFF.values(), ids=GOES_OFF)
def test_hears_a_fact_in_each_language(knowledge, text: str) -> None:
    assert find_heard(text, knowledge)["hardware-fault"] >= 2


@pytest.mark.parametrize("text", FAILS)
def test_hears_each_way_to_say_not(knowledge, text: str) -> None:
    assert find_heard(text, knowledge)["unsupported-gpu-arch"] == 2


@pytest.mark.parametrize("text", APART)
def test_things_of_two_sentences_are_no_fact(knowledge, text: str) -> None:
    assert "hardware-fault" not in find_heard(text, knowledge)


def test_a_fact_of_two_sentences_needs_both(knowledge) -> None:
    text = "The processor is at 100 %. The graphics card shows 0 %."
    assert find_heard(text, knowledge)["cpu-only-build"] == 4
    assert "cpu-only-build" not in find_heard("The processor is at 100 %.", knowledge)


@pytest.mark.parametrize(("name", "text"), SEEN.items(), ids=SEEN)
def test_what_is_heard_makes_an_entry_likely(knowledge, name: str, text: str) -> None:
    first = explain(text, knowledge).diagnoses[0]
    assert (first.name, first.confidence) == (name, Confidence.LIKELY)


def test_every_thing_of_an_entry_is_known(knowledge) -> None:
    used = {
        thing
        for entry in knowledge.entries.values()
        for fact in entry.heard
        for things in fact
        for thing in things
    }
    things = {line.split(": ")[0] for line in read_lines()}
    assert used - things - read_concepts().keys() == set()
    assert things - used == set()
    assert things & read_concepts().keys() == set()


def test_phrases_are_written_as_sentences_are_read() -> None:
    phrases = [phrase for line in read_lines() for phrase in line.split(": ", 1)[1].split(" | ")]
    assert [phrase for phrase in phrases if phrase != phrase.lower().strip() or "n't" in phrase] == []


def test_more_of_a_text_takes_no_longer(knowledge) -> None:
    counts = []
    for number in (1, 2_000, 20_000):
        text = "my pc does not restart, the card is not used and it takes so long. " * number
        calls = 0

        def count(*_: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count)
        try:
            find_heard(text, knowledge)
        finally:
            sys.setprofile(None)
        counts.append(calls)
    assert counts[2] <= counts[1]


def test_thing_that_is_in_no_list_is_never_heard() -> None:
    head = 'family = "gpu"\nheard = ["gpu + no-such-thing", "nothing", "+ ;"]\n'
    entry = parse_entry("some-entry", f"```toml\n{head}```\n{BODY}")
    assert find_heard("My gpu is not used", Knowledge({entry.name: entry})) == {}


def read_lines() -> list[str]:
    lines = read_bundled("torchdoctor.explain.own_words", "things.txt").decode("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
