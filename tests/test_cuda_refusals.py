"""CUDA does not start, and torch says why: the report names that cause first."""

import json
from pathlib import Path

import pytest

from torchdoctor.check import Severity
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.renderers import terminal

SAMPLES = Path(__file__).parent / "samples"
HEALTHY = SAMPLES / "machines" / "01-desktop-rtx-4090-all-well.json"
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


# What torch 2.11.0+cu130 answered on a server with an H200, under variables and with parts of the driver hidden.
LINES = (SAMPLES / "trials" / "h200.jsonl").read_text(encoding="utf-8").splitlines()
TRIALS = [json.loads(line) for line in LINES]


def write_facts(folder: Path, trial: dict, variables: dict[str, str], driver: str | None = "working") -> Path:
    """Write the facts of a healthy computer with this use of CUDA in them."""
    data = json.loads(HEALTHY.read_text(encoding="utf-8"))
    data["facts"]["environment_variables"]["values"] += variables.items()
    data["facts"]["cuda_trial"] |= trial
    if driver is None:
        data["facts"]["nvidia_driver"] = {"absent": "NVML refused"}
    else:
        data["facts"]["nvidia_driver"]["state"] = driver
    file = folder / "facts.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


@pytest.mark.parametrize("case", TRIALS, ids=[case["name"] for case in TRIALS])
def test_report_names_a_problem_exactly_where_torch_cannot_compute(case: dict, tmp_path: Path) -> None:
    file = write_facts(tmp_path, case["cuda_trial"], case["variables"], case["driver"])
    report = scan(ScanRequest(facts_file=file))
    found = [finding for _, finding in report.findings() if finding.severity is not Severity.NOTE]
    assert bool(found) is not case["computes"]


KERNEL_ERRORS = [
    "AcceleratorError: CUDA error: no kernel image is available for execution on the device",
    "AcceleratorError: CUDA error: out of memory\nSearch for it",
    "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB.",
    "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
    "RuntimeError: stoull",
    "AssertionError: Invalid device id",
    "RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.",
]


@pytest.mark.parametrize("version", ["2.8.0+cu128", "9.9.0+cu128"], ids=["recorded", "unknown"])
@pytest.mark.parametrize("mended", [None, "CUDA_FORCE_PTX_JIT"])
@pytest.mark.parametrize(
    "architectures", [["sm_86", "sm_89"], ["sm_50"], []], ids=["listed", "not-listed", "none"]
)
@pytest.mark.parametrize("error", KERNEL_ERRORS)
def test_kernel_that_fails_is_never_passed_over(
    error, architectures, mended, version, tmp_path: Path
) -> None:
    trial = {"kernel_ran": False, "kernel_error": error, "architectures": architectures, "capability": [8, 9]}
    variables = {mended: "1"} if mended else {}
    if mended:
        trial["second_trial"] = {"outcome": "works", "variable": mended}
    file = write_facts(tmp_path, trial, variables)
    file.write_text(file.read_text(encoding="utf-8").replace("2.8.0+cu128", version), encoding="utf-8")
    report = scan(ScanRequest(facts_file=file))
    first = next((outcome for outcome, _ in report.findings()), None)
    assert first is not None
    assert (first.name == "hurtful-environment-variables") is (mended is not None)
