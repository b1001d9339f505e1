"""A bare `explain` on a terminal asks for a text, and takes all of it."""

import os
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs pty; tests/windows has the rest")

ERROR = "OSError: [WinError 1455] x"
LONG_PASTE = f"Traceback (most recent call last):\n\n\n.\n{'x' * 9000}\n" + "a line\n" * 3000 + ERROR


@pytest.fixture
def explain(paste_at_terminal):
    """Return a function that runs `explain` at a terminal, pastes a text and presses keys."""
    command = [sys.executable, "-m", "torchdoctor", "explain"]
    return lambda pasted, keys: paste_at_terminal(command, pasted, keys)


@pytest.mark.parametrize("keys", ["\x04", "\r\x04", "\r.\r"], ids=["ctrl-d", "enter-ctrl-d", "dot"])
def test_takes_a_long_paste_with_blank_lines_and_a_dot(explain, keys: str) -> None:
    exit_code, shown = explain(LONG_PASTE, keys)
    assert (exit_code, "paging-file-too-small" in shown, "line 3006:" in shown) == (0, True, True), shown[
        -3000:
    ]


def test_backspace_removes_a_character(explain) -> None:
    exit_code, shown = explain("OSError: [WinError 14555\x7f] é\x7f", "\r.\r")
    assert (exit_code, "paging-file-too-small" in shown) == (0, True), shown


def test_ctrl_c_ends_it_with_one_line(explain) -> None:
    exit_code, shown = explain("half of\n", "\x03")
    assert (exit_code, shown.splitlines()[-1]) == (130, "torchdoctor: interrupted, nothing was explained")


def test_nothing_pasted_is_a_usage_error(explain) -> None:
    exit_code, shown = explain("", "\x04")
    assert (exit_code, "torchdoctor: nothing was pasted" in shown.splitlines()[-1]) == (2, True)
