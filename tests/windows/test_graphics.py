"""GPU and memory checks with a real registry; values are set for a test and restored after it."""

import json
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.windows

SETTINGS = r"SYSTEM\CurrentControlSet\Control\GraphicsDrivers"
ADAPTERS = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
MEMORY = r"SYSTEM\CurrentControlSet\Control\Session Manager\Memory Management"
SetRegistry = Callable[..., None]

DWORD, QWORD, TEXT, TEXTS = 4, 11, 1, 7


def _outcome(result, name: str) -> dict:
    return next(item for item in json.loads(result.stdout)["outcomes"] if item["name"] == name)


def _messages(run_doctor, name: str, *arguments: str) -> list[str]:
    outcome = _outcome(
        run_doctor("scan", "--format", "json", "--select", name, "--no-trials", *arguments), name
    )
    return [finding["message"] for finding in outcome["findings"]]


def read_facts(run_doctor) -> dict:
    """Return the facts of this machine; if there are none, say what the doctor said."""
    result = run_doctor("facts", "--no-trials")
    assert result.returncode == 0 and result.stdout, (result.returncode, result.stderr)
    return json.loads(result.stdout)["facts"]


def test_defaults_of_the_watchdog_are_fine(run_doctor, set_registry: SetRegistry) -> None:
    set_registry(SETTINGS)
    assert _messages(run_doctor, "tdr-timeout") == []


def test_finds_a_watchdog_that_is_off(run_doctor, set_registry: SetRegistry) -> None:
    set_registry(SETTINGS, TdrLevel=(0, DWORD), TdrDelay=(60, DWORD))
    assert _messages(run_doctor, "tdr-timeout") == [
        "TdrLevel is 0 (default 3): the watchdog is off, so a hung kernel freezes the computer",
        "TdrDelay is 60 (default 2)",
    ]


def test_finds_a_delay_of_the_wrong_type(run_doctor, set_registry: SetRegistry) -> None:
    set_registry(SETTINGS, TdrDelay=(60, QWORD))
    assert _messages(run_doctor, "tdr-timeout") == [
        "TdrDelay is not stored as REG_DWORD, the only type that is documented for it"
    ]


def test_reads_adapters_from_the_registry(run_doctor, set_registry: SetRegistry) -> None:
    set_registry(
        rf"{ADAPTERS}\0077",
        DriverDesc=("NVIDIA GeForce RTX 4090", TEXT),
        ProviderName=("NVIDIA", TEXT),
        DriverVersion=("32.0.15.6636", TEXT),
        MatchingDeviceId=(r"pci\ven_10de&dev_2684", TEXT),
    )
    facts = read_facts(run_doctor)
    found = [item for item in facts["display_adapters"]["adapters"] if item["vendor_id"] == "10de"]
    assert [(item["name"], item["driver_version"]) for item in found] == [
        ("NVIDIA GeForce RTX 4090", "32.0.15.6636")
    ]


def test_event_log_that_does_not_answer_is_absent(run_doctor) -> None:
    facts = read_facts(run_doctor)
    layer = facts["operating_system"]["compatibility_layer"]
    assert ("absent" in facts["system_events"]) == (layer is not None)


def test_missing_nvml_is_a_missing_driver(run_doctor) -> None:
    facts = read_facts(run_doctor)
    if facts["operating_system"]["compatibility_layer"] is None:
        pytest.skip("this Windows may have an NVIDIA driver")
    assert facts["nvidia_driver"]["state"] == "missing"


def test_page_file_has_the_free_space_of_its_drive(run_doctor, set_registry: SetRegistry) -> None:
    set_registry(
        MEMORY, PagingFiles=([r"?:\pagefile.sys"], TEXTS), ExistingPageFiles=([r"\??\C:\pagefile.sys"], TEXTS)
    )
    files = read_facts(run_doctor)["memory"]["page_files"]
    assert [(file["volume"], file["volume_free_bytes"] > 0) for file in files] == [("C:", True)]


def test_missing_page_file_gives_an_empty_list(run_doctor, set_registry: SetRegistry) -> None:
    set_registry(MEMORY, PagingFiles=([], TEXTS))
    assert read_facts(run_doctor)["memory"]["page_files"] == []
