"""`scan` on a real Windows interpreter with a real Windows torch."""

import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows
INTERRUPT_EXAMINATION = Path(__file__).parents[1] / "fakes" / "interrupt_examination.py"


def _find_errors(result) -> dict[str, str]:
    report = json.loads(result.stdout)
    return {
        outcome["name"]: " ".join(finding["message"] for finding in outcome["findings"])
        for outcome in report["outcomes"]
        if any(finding["severity"] == "error" for finding in outcome["findings"])
    }


def test_healthy_environment_has_no_error(run_doctor, torch_lib: Path) -> None:
    result = run_doctor("scan", "--format", "json")
    assert (result.returncode, _find_errors(result)) == (0, {}), result.stderr


def test_screen_of_a_healthy_environment_shows_what_passed(run_doctor, torch_lib: Path) -> None:
    screen = run_doctor("scan").stdout
    assert screen.startswith("Nothing wrong was found, and torch can be imported.")


@pytest.mark.parametrize("command", [("--version",), ("explain", "tdr-timeout"), ("facts", "--no-trials")])
def test_uses_no_installed_package(run_doctor, doctor_folder, tmp_path: Path, windows_path, command) -> None:
    for package in ("colorama", "psutil", "pynvml", "rich", "typer"):
        (tmp_path / f"{package}.py").write_text("1/0\n", encoding="utf-8")
    folders = ";".join(map(windows_path, (tmp_path, doctor_folder)))
    result = run_doctor(*command, env={"PYTHONPATH": folders})
    assert (result.returncode, result.stderr) == (0, "")


def test_counts_the_cores(run_doctor) -> None:
    processor = json.loads(run_doctor("facts", "--no-trials").stdout)["facts"]["processor"]
    assert 0 < processor["physical_cores"] <= processor["logical_cores"]


def test_observes_the_facts_of_windows(run_doctor) -> None:
    facts = json.loads(run_doctor("facts", "--no-trials").stdout)["facts"]
    assert facts["operating_system"]["system"] == "windows"
    assert facts["operating_system"]["machine"] == "x64"
    assert facts["memory"]["commit_limit_bytes"] > facts["memory"]["commit_total_bytes"] > 0
    assert isinstance(facts["memory"]["page_files"], list)
    assert facts["vc_runtime"]["registrations"]


def test_finds_a_missing_dll_of_torch_with_chain_and_supplier(run_doctor, torch_lib: Path, hide_file) -> None:
    hide_file(torch_lib / "libiomp5md.dll")
    errors = _find_errors(run_doctor("scan", "--format", "json"))
    assert "libiomp5md.dll is missing, needed by" in errors["dll-missing-dependency"]
    assert "torch" in errors["dll-missing-dependency"].partition("comes with")[2]
    assert "WinError 126" in errors["torch-import-failed"]


@pytest.mark.parametrize("name", ["msvcp140.dll", "vcruntime140_threads.dll"])
def test_finds_a_missing_runtime_dll(
    run_doctor, torch_lib: Path, system_folder: Path, hide_file, name: str
) -> None:
    hide_file(system_folder / name)
    message = _find_errors(run_doctor("scan", "--no-trials", "--format", "json"))["vc-redist-missing"]
    assert message.startswith(f"{name} is missing, needed by")
    assert "Visual C++ Redistributable" in message


def test_finds_a_missing_vcruntime140_1(run_doctor, torch_lib: Path, system_folder: Path, hide_file) -> None:
    hide_file(system_folder / "vcruntime140_1.dll")
    beside_python = system_folder.parents[1] / "Python311" / "vcruntime140_1.dll"
    if beside_python.exists():
        hide_file(beside_python)
    message = _find_errors(run_doctor("scan", "--no-trials", "--format", "json"))["vc-redist-missing"]
    assert "vcruntime140_1.dll is missing" in message


def test_finds_a_32bit_dll(run_doctor, torch_lib: Path, hide_file) -> None:
    dll = torch_lib / "uv.dll"
    hide_file(dll)
    image = bytearray(dll.with_name("uv.dll.hidden").read_bytes())
    header = struct.unpack_from("<I", image, 0x3C)[0]
    struct.pack_into("<H", image, header + 4, 0x14C)
    dll.write_bytes(image)
    message = _find_errors(run_doctor("scan", "--no-trials", "--format", "json"))["dll-wrong-architecture"]
    assert "uv.dll is built for x86, the interpreter needs x64" in message


def test_finds_a_truncated_dll(run_doctor, torch_lib: Path, hide_file) -> None:
    dll = torch_lib / "c10.dll"
    hide_file(dll)
    dll.write_bytes(dll.with_name("c10.dll.hidden").read_bytes()[:300])
    assert (
        "c10.dll is no usable DLL"
        in _find_errors(run_doctor("scan", "--no-trials", "--format", "json"))["dll-wrong-architecture"]
    )


def test_old_runtime_beside_python_wins_over_system32(run_doctor, torch_lib: Path, tmp_path: Path) -> None:
    # The application folder is searched before System32; torch 2.15.0 tolerates the old runtime.
    report = json.loads(run_doctor("scan", "--no-trials", "--format", "json").stdout)
    files = {file["name"]: file["path"].lower() for file in report["facts"]["vc_runtime"]["files"]}
    assert files["vcruntime140.dll"].startswith("c:\\python311")
    assert "system32" in files["msvcp140.dll"]


def test_writes_output_to_a_windows_path(run_doctor, tmp_path: Path) -> None:
    assert (
        run_doctor("scan", "--no-trials", "--select", "python-32bit", "--output", r"C:\report.txt").returncode
        == 0
    )


def test_scans_training_code_on_a_windows_path(run_doctor, tmp_path: Path) -> None:
    script = tmp_path / "träin ünguarded.py"
    script.write_text(
        "from torch.utils.data import DataLoader\nfor batch in DataLoader([1, 2], num_workers=2):\n    print(batch)\n",
        encoding="utf-8",
    )
    result = run_doctor("scan", script, "--select", "missing-main-guard")
    assert (result.returncode, "train.py" in result.stdout or "missing-main-guard" in result.stdout) == (
        1,
        True,
    )


def test_explains_text_on_a_windows_console(run_doctor) -> None:
    result = run_doctor("explain", stdin="OSError: [WinError 1455] Die Auslagerungsdatei ist zu klein")
    assert "paging-file-too-small" in result.stdout


def test_ctrl_c_ends_an_examination_at_once(windows_python: str, doctor_folder: Path, windows_path) -> None:
    result = subprocess.run(
        [windows_python, windows_path(INTERRUPT_EXAMINATION)],
        env={**os.environ, "PYTHONPATH": windows_path(doctor_folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.stdout.strip() == "interrupted True", result.stderr
