"""What Windows Python and the lab's own pip print is read as an environment, in the encodings of Windows."""

import json
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows


def run(
    python: str, folder: Path, *arguments: str, text: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [python, "-m", *arguments], input=text, capture_output=True, cwd=folder, timeout=300
    )


def find(report: bytes, topic: str) -> list[str]:
    return [each["value"] for each in json.loads(report)["text"]["statements"] if each["topic"] == topic]


def test_reads_what_windows_python_prints(windows_python: str, doctor_folder: Path) -> None:
    banner = subprocess.run([windows_python, "-VV"], capture_output=True, timeout=300).stdout
    packages = run(windows_python, doctor_folder, "pip", "list").stdout
    result = run(
        windows_python,
        doctor_folder,
        "torchdoctor",
        "scan",
        "--from",
        "-",
        "--format",
        "json",
        text=banner + packages,
    )
    assert find(result.stdout, "system") == ["windows"]
    assert find(result.stdout, "bits of Python") == ["64"]
    assert find(result.stdout, "list of all packages") == ["pip"]
    assert len(find(result.stdout, "Python")) == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_reads_a_redirected_file(
    windows_python: str, doctor_folder: Path, tmp_path: Path, encoding: str
) -> None:
    text = "Gerät: für\r\npytorch version: 2.4.1+cu124\r\nDevice: cuda:0 NVIDIA GeForce RTX 5090 : native\r\n"
    (doctor_folder / "issue.txt").write_bytes(text.encode(encoding))
    result = run(
        windows_python, doctor_folder, "torchdoctor", "scan", "--from", "issue.txt", "--format", "json"
    )
    assert find(result.stdout, "torch") == ["2.4.1+cu124"]
    assert find(result.stdout, "GPU") == ["NVIDIA GeForce RTX 5090"]
