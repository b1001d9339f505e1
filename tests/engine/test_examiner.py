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
@pytest.mark.parametrize("second", [None, signal.SIGINT, signal.SIGTERM], ids=["alone", "SIGINT", "SIGTERM"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_signal_leaves_no_child_and_no_file(
    tmp_path: Path, number: signal.Signals, second: signal.Signals | None
) -> None:
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
    if second is not None:
        time.sleep(0.03)
        doctor.send_signal(second)
    assert doctor.wait(timeout=30) == 128 + number
    assert [child for child in children if child.is_running()] == []
    assert list(folder.iterdir()) == []


HANGING_PROBE = """
import sys, time
from torchdoctor.engine import examiner
from torchdoctor.facts import Memory, OperatingSystem
from torchdoctor.probes.table import PROBES, Probe
Probe.load = lambda probe: (lambda: time.sleep(1000)) if probe is PROBES[Memory] else (lambda: "seen")
examiner.find_limit = lambda: 1.0
with examiner.Examiner() as running:
    seen = running.examine((Memory, OperatingSystem))
print(seen.facts.get(Memory).reason, [(each.name, each.reason) for each in seen.broken], OperatingSystem in seen.facts.values)
"""


def test_probe_that_hangs_costs_only_its_fact() -> None:
    result = subprocess.run([sys.executable, "-c", HANGING_PROBE], capture_output=True, text=True, timeout=60)
    reason = "it did not end within 1 s"
    assert result.stdout == f"the probe failed: {reason} [('probe memory', '{reason}')] True\n", result.stderr
