"""A bare `explain` on a terminal asks for a text, and takes all of it."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

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


def test_dot_behind_both_signs_of_the_end_of_a_line(explain) -> None:
    exit_code, shown = explain(ERROR, "\r\n.\r\n")
    assert (exit_code, "paging-file-too-small" in shown) == (0, True), shown


@pytest.mark.parametrize("name", ["SIGQUIT", "SIGTERM", "SIGHUP"])
def test_terminal_is_as_before_when_a_signal_ends_it(name: str, tmp_path: Path) -> None:
    termios, number = pytest.importorskip("termios"), getattr(signal, name)
    master, terminal = os.openpty()
    before = termios.tcgetattr(terminal)
    command = [sys.executable, "-m", "torchdoctor", "explain"]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, cwd=tmp_path)
    prompted = b""
    while b"Paste the error text" not in prompted:
        assert select.select([master], [], [], 60)[0], prompted
        prompted += os.read(master, 4096)
    process.send_signal(number)
    ended = process.wait(60)
    after = termios.tcgetattr(terminal)
    os.close(master)
    os.close(terminal)
    assert (ended in (-number, 128 + number), after) == (True, before)


def test_terminal_that_is_closed_is_no_defect(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    errors = tmp_path / "errors.txt"
    process, terminal = pty.fork()
    if not process:
        with contextlib.suppress(OSError):
            os.chdir(tmp_path)
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
            os.execv(sys.executable, [sys.executable, "-m", "torchdoctor", "explain"])
        os._exit(1)
    wait_seconds = 0.0
    while wait_seconds < 60 and (not errors.exists() or b"Paste" not in errors.read_bytes()):
        time.sleep(0.05)
        wait_seconds += 0.05
    os.write(terminal, b"half of a text\n")
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert (code, "Traceback" in errors.read_text()) == (128 + signal.SIGHUP, False)
