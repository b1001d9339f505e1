"""What cmd, and then the C runtime, make of the commands of entries."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from torchdoctor.knowledge.shells import write_for_cmd

pytestmark = pytest.mark.windows

ENTRIES = Path(__file__).parents[2] / "knowledge_base"
# Runs lines in cmd, which reads a batch file in the OEM code page; `python` is this interpreter.
RUN_LINES = """
import os, subprocess, sys
lines = open("lines.txt", encoding="utf-8").read()
open("lines.bat", "w", encoding="oem").write(lines)
os.environ["PATH"] = os.path.dirname(sys.executable) + ";" + os.environ["PATH"]
sys.exit(subprocess.call(["cmd", "/d", "/q", "/c", "lines.bat"]))
"""


@pytest.fixture
def run_batch(windows_python: str, tmp_path: Path) -> Callable[[str], list[str]]:
    """Return a function that runs lines in cmd, and returns the lines that they print."""

    def run(lines: str) -> list[str]:
        (tmp_path / "lines.txt").write_text(lines, encoding="utf-8")
        command = [windows_python, "-c", RUN_LINES]
        result = subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, check=True, timeout=300
        )
        return result.stdout.splitlines()

    return run


def test_python_code_in_quotes_reaches_python_unchanged(
    run_batch: Callable[[str], list[str]], tmp_path: Path
) -> None:
    texts = [file.read_text(encoding="utf-8") for file in sorted(ENTRIES.glob("*.md"))]
    sent = sorted({code for text in texts for code in re.findall(r'python[^"\n]* -c "([^"\n]*)"', text)})
    (tmp_path / "say.py").write_text("import sys; print(ascii(sys.argv[1]))")
    lines = "".join(f'python say.py "{code}"\n' for code in sent)
    said = run_batch(lines)
    # Under load, Wine at times loses what one of many processes prints; it does not change it.
    if len(said) < len(sent):
        said = run_batch(lines)
    assert said == [ascii(code) for code in sent]


def test_cmd_sets_and_removes_variables_as_powershell_does(run_batch: Callable[[str], list[str]]) -> None:
    ask = "python -c \"import os; print(os.environ.get('X_A'), os.environ.get('X_B'))\""
    code = f'$env:X_A = "C:\\a b"; $env:X_B = "$env:X_A\\c;d"\n{ask}\nRemove-Item Env:X_A, Env:X_B\n{ask}'
    assert run_batch(f"{write_for_cmd(code)}\n") == ["C:\\a b C:\\a b\\c;d", "None None"]


def test_cmd_shows_the_exit_code_as_powershell_does(run_batch: Callable[[str], list[str]]) -> None:
    written = write_for_cmd('python -c "import sys; sys.exit(41)"; $LASTEXITCODE')
    assert run_batch(f"{written}\nexit /b 0\n") == ["41"]


def test_cmd_writes_a_file_as_powershell_does(run_batch: Callable[[str], list[str]]) -> None:
    written = write_for_cmd('Set-Content "$env:PUBLIC\\of a test.txt" "setuptools<82"')
    shown = 'type "%PUBLIC%\\of a test.txt"\ndel "%PUBLIC%\\of a test.txt"\n'
    assert run_batch(f"{written}\n{shown}") == ["setuptools<82"]
