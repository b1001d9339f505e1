"""Programs for `torchdoctor run`, written into a folder of the test's own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Program = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def run(tmp_path: Path) -> Program:
    """Run a program's source under `torchdoctor run OPTIONS`, or plainly with options=None."""

    def run(source: str, *arguments: str, options: tuple[str, ...] | None = (), stdin: bytes = b""):
        script = tmp_path / "program.py"
        script.write_text(source, encoding="utf-8")
        doctor = [] if options is None else ["-m", "torchdoctor", "run", "--python", sys.executable, *options]
        return subprocess.run(
            [sys.executable, *doctor, str(script), *arguments],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"},
            timeout=240,
        )

    return run
