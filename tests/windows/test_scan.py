"""`scan` on a real Windows interpreter with a real Windows torch."""

import json
import struct
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows


def _errors(ended) -> dict[str, str]:
    report = json.loads(ended.stdout)
    return {
        outcome["name"]: " ".join(finding["message"] for finding in outcome["findings"])
        for outcome in report["outcomes"]
        if any(finding["severity"] == "error" for finding in outcome["findings"])
    }


def test_healthy_environment_has_no_error(windows, torch_lib: Path) -> None:
    ended = windows("scan", "--format", "json")
    assert (ended.returncode, _errors(ended)) == (0, {}), ended.stderr


def test_healthy_screen_says_what_it_saw(windows, torch_lib: Path) -> None:
    assert "imports in" in windows("scan").stdout


def test_facts_of_windows_are_observed(windows) -> None:
    facts = json.loads(windows("facts", "--no-trials").stdout)["facts"]
    assert facts["operating_system"]["system"] == "windows"
    assert facts["operating_system"]["machine"] == "x64"
    assert facts["memory"]["commit_limit_bytes"] > facts["memory"]["commit_total_bytes"] > 0
    assert isinstance(facts["memory"]["page_files"], list)
    assert facts["vc_runtime"]["registrations"]


def test_missing_torch_dll_is_named_with_chain_and_supplier(windows, torch_lib: Path, taken_away) -> None:
    taken_away(torch_lib / "libiomp5md.dll")
    errors = _errors(windows("scan", "--format", "json"))
    assert "libiomp5md.dll is missing, needed by" in errors["dll-missing-dependency"]
    assert "torch" in errors["dll-missing-dependency"].partition("comes with")[2]
    assert "WinError 126" in errors["torch-import-failed"]


@pytest.mark.parametrize("name", ["msvcp140.dll", "vcruntime140_threads.dll"])
def test_missing_runtime_dll_is_named(
    windows, torch_lib: Path, system_folder: Path, taken_away, name: str
) -> None:
    taken_away(system_folder / name)
    message = _errors(windows("scan", "--no-trials", "--format", "json"))["vc-redist-missing"]
    assert message.startswith(f"{name} is missing, needed by")
    assert "Visual C++ Redistributable" in message


def test_missing_vcruntime140_1_is_named(windows, torch_lib: Path, system_folder: Path, taken_away) -> None:
    taken_away(system_folder / "vcruntime140_1.dll")
    beside_python = system_folder.parents[1] / "Python311" / "vcruntime140_1.dll"
    if beside_python.exists():
        taken_away(beside_python)
    message = _errors(windows("scan", "--no-trials", "--format", "json"))["vc-redist-missing"]
    assert "vcruntime140_1.dll is missing" in message


def test_32bit_dll_is_named(windows, torch_lib: Path, taken_away) -> None:
    dll = torch_lib / "uv.dll"
    taken_away(dll)
    image = bytearray(dll.with_name("uv.dll.taken-away").read_bytes())
    header = struct.unpack_from("<I", image, 0x3C)[0]
    struct.pack_into("<H", image, header + 4, 0x14C)
    dll.write_bytes(image)
    message = _errors(windows("scan", "--no-trials", "--format", "json"))["dll-wrong-architecture"]
    assert "uv.dll is built for x86, the interpreter needs x64" in message


def test_truncated_dll_is_named(windows, torch_lib: Path, taken_away) -> None:
    dll = torch_lib / "c10.dll"
    taken_away(dll)
    dll.write_bytes(dll.with_name("c10.dll.taken-away").read_bytes()[:300])
    assert (
        "c10.dll is no usable DLL"
        in _errors(windows("scan", "--no-trials", "--format", "json"))["dll-wrong-architecture"]
    )


def test_old_runtime_beside_python_wins_over_system32(windows, torch_lib: Path, tmp_path: Path) -> None:
    # The application folder is searched before System32; torch 2.15.0 tolerates the old one.
    report = json.loads(windows("scan", "--no-trials", "--format", "json").stdout)
    files = {file["name"]: file["path"].lower() for file in report["facts"]["vc_runtime"]["files"]}
    assert files["vcruntime140.dll"].startswith("c:\\python311")
    assert "system32" in files["msvcp140.dll"]


def test_json_goes_to_a_file_with_a_windows_path(windows, tmp_path: Path) -> None:
    assert (
        windows("scan", "--no-trials", "--select", "python-32bit", "--output", r"C:\report.txt").returncode
        == 0
    )


def test_training_code_on_a_windows_path(windows, tmp_path: Path) -> None:
    script = tmp_path / "träin ünguarded.py"
    script.write_text(
        "from torch.utils.data import DataLoader\nfor batch in DataLoader([1, 2], num_workers=2):\n    print(batch)\n",
        encoding="utf-8",
    )
    ended = windows("scan", script, "--select", "missing-main-guard")
    assert (ended.returncode, "train.py" in ended.stdout or "missing-main-guard" in ended.stdout) == (1, True)


def test_explain_on_a_windows_console(windows) -> None:
    ended = windows("explain", stdin="OSError: [WinError 1455] Die Auslagerungsdatei ist zu klein")
    assert "paging-file-too-small" in ended.stdout
