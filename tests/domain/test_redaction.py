"""User names, host names and home folders are removed from what is shared."""

import pytest

from torchdoctor.domain.redaction import Identity, redact
from torchdoctor.facts import Interpreter

IDENTITY = Identity("C:\\Users\\Jane Doe", "Jane Doe", "JANES-PC")


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("C:\\Users\\Jane Doe\\env\\python.exe", "~\\env\\python.exe"),
        ("c:/users/jane doe/env", "~/env"),
        ("on JANES-PC now", "on <host> now"),
        ("C:\\Users\\somebody\\x", "C:\\Users\\<user>\\x"),
        ("/home/somebody/x", "/home/<user>/x"),
        ("C:\\Users\\Public\\x", "C:\\Users\\Public\\x"),
        ("C:\\Users\\Jane Doe2\\x", "C:\\Users\\<user> Doe2\\x"),
        ("D:\\work\\Jane Doe\\x", "D:\\work\\<user>\\x"),
        ("torch 2.8.0+cu128", "torch 2.8.0+cu128"),
    ],
)
def test_removes_the_identity(text: str, shared: str) -> None:
    assert IDENTITY.redact(text) == shared


def test_keeps_words_equal_to_a_short_name() -> None:
    assert Identity("/", "pc", "pc").redact("a pc in /pc/x") == "a pc in /pc/x"


def test_redacts_every_text_of_a_record() -> None:
    interpreter = Interpreter(
        "C:\\Users\\Jane Doe\\p.exe", "3.12.4", "CPython", 64, "x64", "win-amd64", "a", "b", "c",
        import_path=("C:\\Users\\Jane Doe\\lib",),
    )  # fmt: skip
    assert "Jane" not in str(redact(interpreter, IDENTITY))


def test_keeps_values_that_are_not_text() -> None:
    assert redact({"a": (1, None, True, 2.5)}, IDENTITY) == {"a": (1, None, True, 2.5)}
