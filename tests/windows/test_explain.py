"""`explain` on Windows: the clipboard of the session, and the output of the last failed run."""

import os
import subprocess
from collections.abc import Callable, Iterator

import pytest

pytestmark = pytest.mark.windows

# Puts a text in the clipboard, closes it if asked to, and stays until its input ends: under Wine, the clipboard
# is empty once the program that filled it has ended.
FILL_CLIPBOARD = """
import ctypes, sys
user32, kernel32 = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")
handle = ctypes.c_void_p
kernel32.GlobalAlloc.restype = kernel32.GlobalLock.restype = user32.CreateWindowExW.restype = handle
kernel32.GlobalAlloc.argtypes = (ctypes.c_uint, ctypes.c_size_t)
kernel32.GlobalLock.argtypes = kernel32.GlobalUnlock.argtypes = user32.OpenClipboard.argtypes = (handle,)
user32.SetClipboardData.argtypes = (ctypes.c_uint, handle)
user32.CreateWindowExW.argtypes = (ctypes.c_uint, ctypes.c_wchar_p, ctypes.c_wchar_p, ctypes.c_uint, *[ctypes.c_int] * 4, *[handle] * 4)
window = user32.CreateWindowExW(0, "STATIC", "", 0, 0, 0, 0, 0, -3, None, None, None)  # HWND_MESSAGE
assert window and user32.OpenClipboard(window) and user32.EmptyClipboard()
text = (sys.argv[1].replace("|", "\\r\\n") + "\\0").encode("utf-16-le")
memory = kernel32.GlobalAlloc(2, len(text))
ctypes.memmove(kernel32.GlobalLock(memory), text, len(text))
kernel32.GlobalUnlock(memory)
if sys.argv[1]:
    assert user32.SetClipboardData(13, memory)
if sys.argv[2] == "close":
    user32.CloseClipboard()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def fill_clipboard(windows_python: str) -> Iterator[Callable[..., None]]:
    """Return a function that puts a text in the clipboard until the test is over; "|" stands for a new line."""
    programs: list[subprocess.Popen[str]] = []

    def fill(text: str, *, keeps_open: bool = False) -> None:
        command = [windows_python, "-c", FILL_CLIPBOARD, text, "keep" if keeps_open else "close"]
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        programs.append(program)
        assert program.stdout.readline().strip() == "ready"

    yield fill
    for program in programs:
        program.communicate(timeout=60)


def test_explains_the_clipboard(run_doctor, fill_clipboard) -> None:
    fill_clipboard(
        "Traceback (most recent call last):||OSError: [WinError 1455] 页面文件太小，无法完成操作。"
    )
    result = run_doctor("explain", "--clipboard")
    assert (result.returncode, "line 3: OSError" in result.stdout) == (0, True), result.stderr


@pytest.mark.parametrize(
    ("text", "keeps_open", "message"),
    [("", False, "holds no text"), ("WinError 1455", True, "another program keeps the clipboard open")],
    ids=["empty", "open"],
)
def test_clipboard_that_cannot_be_read_is_one_line(
    run_doctor, fill_clipboard, text: str, keeps_open: bool, message: str
) -> None:
    fill_clipboard(text, keeps_open=keeps_open)
    result = run_doctor("explain", "--clipboard")
    assert (result.returncode, result.stderr.count("\n"), message in result.stderr) == (2, 1, True), result


def test_last_failed_run_is_explained_again(run_doctor) -> None:
    run_doctor("run", "--", "cmd", "/c", "echo OSError: [WinError 1455] x& exit 3")
    result = run_doctor("explain", "--last")
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True), result.stderr
    assert "last-failed-run.txt" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a pty, in which Wine has a console of Windows")
def test_console_takes_a_paste_with_blank_lines_and_a_dot(
    paste_at_terminal, doctor_folder, windows_python: str, windows_path, monkeypatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", windows_path(doctor_folder))
    monkeypatch.setenv("TERM", "xterm")
    pasted = "Traceback (most recent call last):\n\n.\n" + "a line\n" * 300 + "OSError: [WinError 1455] x\n"
    command = [windows_python, "-m", "torchdoctor", "explain"]
    # The console of Wine is not ready for keys when it shows the first text.
    exit_code, shown = paste_at_terminal(command, pasted, ".\r", wait_seconds=2)
    assert (exit_code, "line 304: OSError" in shown) == (0, True), shown[-3000:]
