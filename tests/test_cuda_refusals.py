"""CUDA does not start, and torch says why: the report names that cause first."""

import json
from pathlib import Path

import pytest

from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.renderers import terminal

HEALTHY = Path(__file__).parent / "samples" / "machines" / "01-desktop-rtx-4090-all-well.json"
COUNT = (
    "CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before "
    "calling NumCudaDevices() that might have already set an error? Error "
)
WSL = {"system": "linux", "version": "5.15.167.4-microsoft-standard-WSL2", "compatibility_layer": "WSL"}
# What torch says, the system, the words of the title, and those of the step.
REFUSALS = {
    "container": (
        f"{COUNT}500: named symbol not found",
        WSL,
        "The container does not fit",
        "Update Docker Desktop",
    ),
    "old driver": (
        f"{COUNT}804: forward compatibility was attempted on non supported HW",
        {},
        "The driver is older than the CUDA that was loaded",
        "Install the newest NVIDIA driver",
    ),
    "cards of WSL": (
        f"{COUNT}2: out of memory",
        WSL,
        "no memory to start in WSL",
        "CUDA_VISIBLE_DEVICES=0,1,2",
    ),
    "memory": (
        f"{COUNT}2: out of memory",
        {},
        "Probably: CUDA finds no memory to start",
        "Close the programs",
    ),
    "busy": (
        "CUDA initialization: CUDA-capable device(s) is/are busy or unavailable",
        {},
        "Probably: The driver lets no program use the card",
        "Perform a clean installation",
    ),
    "unknown": (
        f"{COUNT}801: operation not supported",
        {},
        "the message does not say why",
        "Restart Windows once",
    ),
}


@pytest.mark.parametrize(("said", "system", "title", "step"), REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("outcome", ["answered", "raised"])
def test_screen_begins_with_the_cause(
    said: str, system: dict[str, str], title: str, step: str, outcome: str, tmp_path: Path
) -> None:
    data = json.loads(HEALTHY.read_text(encoding="utf-8"))
    data["facts"]["operating_system"] |= system
    data["facts"]["cuda_trial"] |= {
        "outcome": outcome, "available": False if outcome == "answered" else None, "device_count": 0,
        "kernel_ran": False, "device_name": None,
        **({"warnings": [f"{said} (Triggered internally at /opt/x.cpp:1.)"]} if outcome == "answered" else {"error": said}),
    }  # fmt: skip
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    first = " ".join(terminal.render(scan(ScanRequest(facts_file=file))).split("Examined:")[0].split())
    assert title in first
    assert step in first
