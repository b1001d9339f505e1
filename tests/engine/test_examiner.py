"""An interrupted examination ends at once and leaves no process running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

INTERRUPT_EXAMINATION = Path(__file__).parents[1] / "fakes" / "interrupt_examination.py"


def test_ctrl_c_ends_an_examination_at_once() -> None:
    result = subprocess.run([sys.executable, str(INTERRUPT_EXAMINATION)], capture_output=True, text=True)
    assert result.stdout == "interrupted True\n", result.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_signal_leaves_no_child_and_no_file(tmp_path: Path, number: signal.Signals) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(100)\n")
    python.chmod(0o755)
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [sys.executable, "-m", "torchdoctor", "scan", "--python", str(python)]
    doctor = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(folder)}, stderr=subprocess.DEVNULL)
    children: list[psutil.Process] = []
    while doctor.poll() is None and not any(str(python) in child.cmdline() for child in children):
        time.sleep(0.05)
        children = psutil.Process(doctor.pid).children()
    doctor.send_signal(number)
    assert doctor.wait(timeout=30) == 128 + number
    assert [child for child in children if child.is_running()] == []
    assert list(folder.iterdir()) == []
