"""A name that one place gives away is hidden in the others, and what may be a word stays."""

import pytest

from torchdoctor.redaction.people.carried_names import Carried
from torchdoctor.redaction.redaction import Identity, redact

NOBODY = Identity()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C:\\Users\\mkowal7ski\\x\nstarted by mkowal7ski", "C:\\Users\\<user>\\x\nstarted by <user>"),
        ("/home/marek.k/x\nMAREK.K:marek.k /scratch/marek.k/y", "/home/<user>/x\n<user>:<user> /scratch/<user>/y"),
        ("HF_TOKEN=a9F3kLm20QzX\nrefused: a9F3kLm20QzX", "HF_TOKEN=<secret>\nrefused: <secret>"),
        ("COMPUTERNAME=KRAKOW-LAB7\nno answer of krakow-lab7", "COMPUTERNAME=<host>\nno answer of <host>"),
        ("C:\\Users\\kowalski\\x\nray_kowalski", "C:\\Users\\<user>\\x\nray_<user>"),
    ],
    ids=["user", "spelling", "secret", "host", "within-a-name"],
)  # fmt: skip
def test_hides_what_another_place_gives_away(text: str, expected: str) -> None:
    assert NOBODY.redact(text) == expected


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("C:\\Users\\will\\x", "it will fail"),
        ("C:\\Users\\Gaming\\x", "a gaming laptop"),
        ("C:\\Users\\cuda\\x", "CUDA error"),
        ("C:\\Users\\memory\\x", "out of memory"),
        ("C:\\Users\\kowalski\\x", "kowalskis"),
        ("C:\\Users\\kowalski\\x", "git+https://github.com/kowalski/torch"),
        ("password=python310", "C:\\python310\\python.exe"),
        ("password=hunting!", "hunting!"),
    ],
)
def test_keeps_what_may_be_a_word(place: str, text: str) -> None:
    assert NOBODY.redact(f"{place}\n{text}").splitlines()[1] == text


def test_hides_it_in_all_fields_of_a_value() -> None:
    value = {
        "path": "C:\\Users\\mkowal7ski\\x",
        "lines": ("of mkowal7ski", "a9F3kLm20QzX"),
        "t": "token=a9F3kLm20QzX",
    }
    assert redact(value, NOBODY) == {
        "path": "C:\\Users\\<user>\\x",
        "lines": ("of <user>", "<secret>"),
        "t": "token=<secret>",
    }


def test_longest_of_many_secrets_is_hidden_whole() -> None:
    secrets = frozenset(f"a9F3kLm20QzX-{number}" for number in range(2000))
    text = "refused: a9F3kLm20QzX-1999, a9F3kLm20QzX-19 and a9F3kLm20QzX-19999"
    assert Carried(secrets).hide(text) == "refused: <secret>, <secret> and a9F3kLm20QzX-19999"
