"""GPU and memory checks on a real registry: values are planted for a test, and put back."""

import json
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.windows

SETTINGS = r"SYSTEM\CurrentControlSet\Control\GraphicsDrivers"
ADAPTERS = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
MEMORY = r"SYSTEM\CurrentControlSet\Control\Session Manager\Memory Management"
Plant = Callable[..., None]

DWORD, QWORD, TEXT, TEXTS = 4, 11, 1, 7


def _outcome(ended, name: str) -> dict:
    return next(item for item in json.loads(ended.stdout)["outcomes"] if item["name"] == name)


def _messages(windows, name: str, *arguments: str) -> list[str]:
    outcome = _outcome(windows("scan", "--format", "json", "--select", name, "--no-trials", *arguments), name)
    return [finding["message"] for finding in outcome["findings"]]


def test_defaults_of_the_watchdog_are_well(windows, plant: Plant) -> None:
    plant(SETTINGS)
    assert _messages(windows, "tdr-timeout") == []


def test_watchdog_that_is_off_is_told(windows, plant: Plant) -> None:
    plant(SETTINGS, TdrLevel=(0, DWORD), TdrDelay=(60, DWORD))
    assert _messages(windows, "tdr-timeout") == [
        "TdrLevel is 0 (default 3): the watchdog is off, so a hung kernel freezes the computer",
        "TdrDelay is 60 (default 2)",
    ]


def test_delay_of_the_wrong_type_is_told(windows, plant: Plant) -> None:
    plant(SETTINGS, TdrDelay=(60, QWORD))
    assert _messages(windows, "tdr-timeout") == [
        "TdrDelay is not stored as REG_DWORD, the only type that is documented for it"
    ]


def test_adapters_are_read_from_the_registry(windows, plant: Plant) -> None:
    plant(
        rf"{ADAPTERS}\0077",
        DriverDesc=("NVIDIA GeForce RTX 4090", TEXT),
        ProviderName=("NVIDIA", TEXT),
        DriverVersion=("32.0.15.6636", TEXT),
        MatchingDeviceId=(r"pci\ven_10de&dev_2684", TEXT),
    )
    facts = json.loads(windows("facts", "--no-trials").stdout)["facts"]
    found = [item for item in facts["display_adapters"]["adapters"] if item["vendor_id"] == "10de"]
    assert [(item["name"], item["driver_version"]) for item in found] == [
        ("NVIDIA GeForce RTX 4090", "32.0.15.6636")
    ]


def test_event_log_without_an_answer_is_not_an_empty_one(windows) -> None:
    facts = json.loads(windows("facts", "--no-trials").stdout)["facts"]
    layer = facts["operating_system"]["compatibility_layer"]
    assert ("absent" in facts["system_events"]) == (layer is not None)


def test_missing_nvml_is_a_missing_driver(windows) -> None:
    facts = json.loads(windows("facts", "--no-trials").stdout)["facts"]
    if facts["operating_system"]["compatibility_layer"] is None:
        pytest.skip("this Windows may have an NVIDIA driver")
    assert facts["nvidia_driver"]["state"] == "missing"


def test_page_files_come_with_the_room_on_their_drive(windows, plant: Plant) -> None:
    plant(
        MEMORY, PagingFiles=([r"?:\pagefile.sys"], TEXTS), ExistingPageFiles=([r"\??\C:\pagefile.sys"], TEXTS)
    )
    files = json.loads(windows("facts", "--no-trials").stdout)["facts"]["memory"]["page_files"]
    assert [(file["volume"], file["volume_free_bytes"] > 0) for file in files] == [("C:", True)]


def test_no_page_file_is_none(windows, plant: Plant) -> None:
    plant(MEMORY, PagingFiles=([], TEXTS))
    assert json.loads(windows("facts", "--no-trials").stdout)["facts"]["memory"]["page_files"] == []
