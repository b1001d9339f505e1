"""Code pages of other languages, and a console of 25 rows with 80 columns."""

import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

from tests.conftest import wait_until_ready

pytestmark = [
    pytest.mark.windows,
    pytest.mark.skipif(os.name == "nt", reason="the code page of Windows itself is not changed by a test"),
]

# The language that the system is told to have, the code page of its programs, and error 1455 in it.
LANGUAGES = {
    "de_DE": ("cp1252", "Die Auslagerungsdatei ist zu klein, um diesen Vorgang durchzuführen"),
    "pl_PL": ("cp1250", "Plik stronicowania jest za mały, aby ukończyć tę operację"),
    "ja_JP": ("cp932", "ページング ファイルが小さすぎるため、この操作を完了できません。"),
    "zh_CN": ("cp936", "页面文件太小，无法完成操作。"),
}


NAMES = sorted(LANGUAGES)


@pytest.fixture
def run_in_language(doctor_folder: Path, windows_python: str, windows_path, tmp_path: Path):
    """Return a function that runs the doctor with pipes, on a Windows of a language, and returns bytes."""

    def run(language: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[bytes]:
        # The language has to be installed neither here nor there: Wine reads its name only.
        env = {**os.environ, "PYTHONPATH": windows_path(doctor_folder), "LC_ALL": f"{language}.UTF-8"}
        env.pop("PYTHONIOENCODING", None)
        command = [windows_python, "-m", "torchdoctor", *arguments]
        stdin = text.encode(LANGUAGES[language][0])
        return subprocess.run(command, input=stdin, capture_output=True, env=env, cwd=tmp_path, timeout=300)

    return run


@pytest.mark.parametrize("language", NAMES)
def test_text_in_the_code_page_is_read_and_shown(run_in_language, language: str) -> None:
    code_page, message = LANGUAGES[language]
    result = run_in_language(language, "explain", text=f"OSError: [WinError 1455] {message}")
    shown = " ".join(result.stdout.decode(code_page).split())
    assert (result.returncode, "paging-file-too-small" in shown) == (0, True), result.stderr
    # A long line is wrapped, in Chinese and its like between any two characters.
    assert message[:20] in shown


@pytest.mark.parametrize("language", NAMES)
def test_output_of_a_program_is_passed_on_and_explained(
    run_in_language, tmp_path: Path, language: str
) -> None:
    code_page, message = LANGUAGES[language]
    script = tmp_path / "train.py"
    script.write_text(f"print({message!r})\nraise OSError(22, {message!r}, None, 1455)\n", encoding="utf-8")
    result = run_in_language(language, "run", script.name)
    assert (result.returncode, result.stdout.decode(code_page).strip()) == (1, message)
    assert "paging-file-too-small" in result.stderr.decode(code_page, "replace")


def test_entries_are_listed_and_a_report_is_written(run_in_language) -> None:
    listed = run_in_language("ja_JP", "explain", "--list")
    assert (listed.returncode, len(listed.stdout.decode("cp932").splitlines()) > 100) == (0, True)
    report = run_in_language("ja_JP", "scan", "--no-trials", "--format", "json")
    assert report.stdout, (report.returncode, report.stderr)
    assert json.loads(report.stdout.decode("cp932"))["outcomes"], report.stderr


def test_console_of_25_rows_shows_colours_and_ends_with_the_first_step(
    doctor_folder: Path, windows_python: str, windows_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", windows_path(doctor_folder))
    monkeypatch.setenv("TERM", "xterm")
    fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
    terminal, console = pty.openpty()
    fcntl.ioctl(console, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 80, 0, 0))
    command = [windows_python, "-m", "torchdoctor", "explain", "OSError: [WinError 1455] x"]
    with subprocess.Popen(command, stdin=console, stdout=console, stderr=console) as process:
        os.close(console)
        shown = b""
        while True:
            if not wait_until_ready(terminal, 120)[0]:
                process.kill()
                pytest.fail(f"nothing more was shown for two minutes after {shown!r}")
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break  # The program has ended.
    os.close(terminal)
    assert (process.returncode, b"\x1b[1mFix, step by step" in shown) == (0, True), shown
    end = shown.decode(errors="replace").splitlines()[-24:]
    assert any("In short: " in line for line in end) and any("1. Let Windows" in line for line in end), end
