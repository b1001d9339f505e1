"""An output never takes the place of what is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "command",
    [("explain", "--file", "-"), ("explain",), ("scan", "--from", "-"), ("explain", "--file", "log.txt")],
    ids=" ".join,
)
def test_report_does_not_replace_the_text_that_it_is_about(command: tuple[str, ...], tmp_path: Path) -> None:
    text = "OSError: [WinError 1455] The paging file is too small: my only log\n"
    (tmp_path / "log.txt").write_text(text, encoding="utf-8")
    with open(tmp_path / "log.txt", "rb") as log:
        result = subprocess.run(
            [sys.executable, "-m", "torchdoctor", *command, "-o", "log.txt"],
            stdin=log, cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )  # fmt: skip
    assert (result.returncode, (tmp_path / "log.txt").read_text(encoding="utf-8")) == (2, text)
    assert result.stderr == "torchdoctor: log.txt: this would replace what is read by the report\n"
