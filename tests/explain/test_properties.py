"""Properties of `explain` for any text: no exception, no control sequence in the output, linear time."""

import json
import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdoctor.explain import explain, explain_stream
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.knowledge.told import FACTS
from torchdoctor.renderers.explanation import render_entry, render_json, render_list, render_text
from torchdoctor.terminal.screen import make_encodable

PIECES = st.sampled_from(
    [
        "Traceback (most recent call last):",
        '  File "C:\\a.py", line 1, in f',
        "OSError: [WinError 1455]",
        "\x1b[31m",
        "\x1b]0;title\x07",
        "\u202e",
        "\x9b31m",
        "\r",
        "\n",
        "%1 is not a valid Win32 application",
        'Error loading "x.dll"',
        "\\n",
        "\ud800",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=30), max_size=40).map("".join)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=600))
def test_any_bytes_can_be_explained(data: bytes, knowledge: Knowledge) -> None:
    assert len(explain(data, knowledge).diagnoses) <= 3


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_no_control_sequence_reaches_the_terminal(text: str, knowledge: Knowledge) -> None:
    assert not CONTROL.search(render_text(explain(text, knowledge), 80, colour=False))


@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_prints_no_escape_sequences_but_colours(text: str, knowledge: Knowledge) -> None:
    output = render_text(explain("OSError: [WinError 1455] \x1b[5m" + text, knowledge), 80, colour=True)
    assert not CONTROL.search(re.sub("\x1b\\[[0-9;]{1,4}m", "", output))


@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_json_is_ascii_and_complete(text: str, knowledge: Knowledge) -> None:
    document = json.loads(render_json(explain(text, knowledge)).encode("ascii"))
    assert {"schema_version", "torchdoctor", "recognised", "diagnoses"} <= set(document)


@settings(max_examples=40, deadline=None)
@given(text=TEXTS, size=st.integers(1, 50))
def test_chunks_do_not_change_the_answer(text: str, size: int, knowledge: Knowledge) -> None:
    data = text.encode("utf-8", errors="replace")
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    assert explain_stream(chunks, knowledge) == explain(data, knowledge)


def near_misses(anchor: str, size: int) -> list[str]:
    """Return texts that begin like a match many times and never match."""
    fillers = ("a", " ", "\\", "'", "x ", "1", "-", ".a", "C:\\a")
    return [(anchor + filler * size)[:size] for filler in fillers] + [(f"{anchor} " * size)[:size]]


def time_search(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    pattern.search(text)
    return time.process_time() - start


def is_slow(pattern: re.Pattern[str], short: str, long: str) -> bool:
    """Return whether four times the text takes more than nine times as long, in each of three measurements.

    Linear time takes four times as long, quadratic time sixteen times.
    """
    for _ in range(3):
        if time_search(pattern, long) < 0.005 or time_search(pattern, long) < 9 * time_search(pattern, short):
            return False
    return True


def list_patterns(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield a text with which a match begins, and the pattern."""
    for symptom in entry.symptoms:
        if symptom.pattern:
            yield symptom.text, symptom.pattern
        if symptom.beside:
            yield symptom.text, symptom.beside
        if symptom.without:
            yield symptom.text, symptom.without


def list_facts() -> Iterator[tuple[str, str]]:
    """Yield each word of a fact that a person tells, and the pattern of the fact."""
    for words, text in FACTS.values():
        yield from ((word, text) for word in words.split("|"))


def test_patterns_take_linear_time(knowledge: Knowledge) -> None:
    slow = []
    named = [(entry.name, list_patterns(entry)) for entry in knowledge.entries.values()]
    for name, patterns in [*named, ("told", list_facts())]:
        for anchor, text in patterns:
            pattern = re.compile(text, re.IGNORECASE)
            for short, long in zip(*(near_misses(anchor, size) for size in (2000, 8000)), strict=True):
                if time_search(pattern, short) > 0.075 or is_slow(pattern, short, long):
                    slow.append((name, text))
    assert not slow


@pytest.mark.parametrize(
    "unit", ["Traceback (most recent call last):\n", '  File "a\n', "OSError: [", "\\n", "'"]
)
def test_explaining_takes_linear_time(unit: str, knowledge: Knowledge) -> None:
    explain(unit * 10, knowledge)
    times = []
    for count in (4_000, 16_000):
        start = time.process_time()
        explain(unit * count, knowledge)
        times.append(time.process_time() - start)
    assert times[1] < 12 * times[0] + 0.5


def test_every_entry_can_be_rendered(knowledge: Knowledge) -> None:
    for entry in knowledge.entries.values():
        output = render_entry(entry, 80, colour=False)
        assert entry.name in output
        assert "{" + "dll|" not in output


def test_list_has_a_line_for_each_entry(knowledge: Knowledge) -> None:
    assert render_list(knowledge.entries.values()).count("\n") == len(knowledge.entries)


def test_small_code_page_gets_ascii() -> None:
    assert make_encodable("a – b … 页", "cp437") == "a - b ... ?"
