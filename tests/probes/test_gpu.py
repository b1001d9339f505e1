"""NVML, display adapters, the event log: every answer, and every way of giving none, is told apart."""

import _ctypes
import json
import shutil
import sys
from pathlib import Path

import pytest

from torchdoctor.facts import Absent, NvidiaDriver
from torchdoctor.probes import gpu
from torchdoctor.probes.child import Ended
from torchdoctor.probes.events import make_query, parse_events
from torchdoctor.probes.windows import find_volume

FAKE = """
class NVMLError(Exception):
    def __init__(self, value): super().__init__("error %d" % value); self.value = value
NVML_ERROR_FUNCTION_NOT_FOUND = 13
def _refuse(value):
    raise NVMLError(value)
def nvmlInit(): {init}
def nvmlSystemGetDriverVersion(): return b"566.36"
def nvmlSystemGetCudaDriverVersion(): return 12070
def nvmlDeviceGetCount(): return 1
def nvmlDeviceGetHandleByIndex(index): return index
def nvmlDeviceGetName(handle): return "NVIDIA GeForce RTX 4090"
def nvmlDeviceGetCudaComputeCapability(handle): return 8, 9
def nvmlDeviceGetMemoryInfo(handle): return _refuse(3)
def nvmlDeviceGetDriverModel(handle): {model}
def nvmlDeviceGetDriverModel_v1(handle): return [1, 2]
def nvmlDeviceGetDisplayActive(handle): return 1
"""


def _ask(monkeypatch, folder: Path, init: str = "pass", model: str = "return [0, 0]"):
    (folder / "pynvml.py").write_text(FAKE.format(init=init, model=model), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    # Any library will do: it is loaded, or looked for, before the bindings are.
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))
    shutil.copy(_ctypes.__file__, folder / "libnvidia-ml.so.1")
    monkeypatch.setenv("WINDIR", str(folder))
    (folder / "System32").mkdir()
    (folder / "System32" / "nvml.dll").touch()
    return gpu.read_nvidia_driver()


@pytest.mark.parametrize(
    ("error", "state"), [(12, "missing"), (9, "not loaded"), (18, "mismatch")], ids=["none", "idle", "update"]
)
def test_states_of_the_driver_are_told_apart(monkeypatch, tmp_path: Path, error: int, state: str) -> None:
    assert _ask(monkeypatch, tmp_path, f"_refuse({error})").state == state


@pytest.mark.skipif(sys.platform != "linux", reason="the loader's cache is Linux's")
@pytest.mark.parametrize(
    ("cache", "state"), [(b"libc.so.6", "missing"), (b"libnvidia-ml.so.1", "not loaded")]
)
def test_library_is_looked_for_before_a_child_starts(monkeypatch, tmp_path: Path, cache, state) -> None:
    (tmp_path / "ld.so.cache").write_bytes(b"glibc-ld.so.cache1.1" + cache)
    monkeypatch.setattr(gpu, "_LOADER_CACHE", tmp_path / "ld.so.cache")
    monkeypatch.setattr(
        gpu, "run_child", lambda *_, **__: Ended(0, 0.1, '{"error": 9, "message": "idle"}', "")
    )
    assert gpu.read_nvidia_driver().state == state


def test_other_refusal_is_no_missing_driver(monkeypatch, tmp_path: Path) -> None:
    assert _ask(monkeypatch, tmp_path, "_refuse(4)") == Absent("NVML refused: error 4")


def test_hanging_nvml_is_given_up(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpu, "NVML_SECONDS", 1.0)
    assert "did not answer within 1 s" in _ask(monkeypatch, tmp_path, "import time; time.sleep(60)").reason


def test_crashing_nvml_is_survived(monkeypatch, tmp_path: Path) -> None:
    assert isinstance(_ask(monkeypatch, tmp_path, "import os; os.abort()"), Absent)


def test_driver_and_gpu_are_read(monkeypatch, tmp_path: Path) -> None:
    driver = _ask(monkeypatch, tmp_path)
    assert (driver.version, driver.cuda, driver.gpus[0].compute_capability) == ("566.36", "12.7", (8, 9))


def test_refused_value_is_absent_alone(monkeypatch, tmp_path: Path) -> None:
    found = _ask(monkeypatch, tmp_path).gpus[0]
    assert (found.memory_bytes, found.driver_model) == (Absent("NVML refused: error 3"), "WDDM")


def test_older_driver_is_asked_by_the_older_call(monkeypatch, tmp_path: Path) -> None:
    found = _ask(monkeypatch, tmp_path, model="_refuse(13)").gpus[0]
    assert (found.driver_model, found.pending_driver_model) == ("TCC", "MCDM")


@pytest.mark.parametrize("text", ["", "null", "[]", "{", '{"gpus": {}}', '{"gpus": [[]]}'])
def test_any_answer_can_be_read(text: str) -> None:
    assert isinstance(gpu.parse_driver(Ended(0, 0.1, text, "")), (Absent, NvidiaDriver))


def test_linux_adapters_come_from_the_bus(tmp_path: Path) -> None:
    for name, code, vendor in (("0", "0x030000", "0x10de"), ("1", "0x020000", "0x8086")):
        device = tmp_path / name
        device.mkdir()
        for file, text in (("class", code), ("vendor", vendor), ("device", "0x2684")):
            (device / file).write_text(text + "\n", encoding="ascii")
    assert [found.vendor_id for found in gpu.read_pci_adapters(tmp_path).adapters] == ["10de"]


NAMESPACE = "http://schemas.microsoft.com/win/2004/08/events/event"
RESET = (
    f"<Event xmlns='{NAMESPACE}'><System><Provider Name='Display'/><EventID Qualifiers='0'>4101</EventID>"
    "<TimeCreated SystemTime='2026-11-12T19:03:11.1234567Z'/></System>"
    "<EventData><Data>nvlddmkm</Data><Data></Data></EventData></Event>"
)
SHORTAGE = (
    f"<Event xmlns='{NAMESPACE}'><System><Provider Name='Microsoft-Windows-Resource-Exhaustion-Detector'/>"
    "<EventID>2004</EventID><TimeCreated SystemTime='2026-11-02T08:00:00.0Z'/></System><UserData>"
    "<MemoryExhaustionInfo xmlns='x'><ProcessInfo><Process_1><Name>python.exe</Name><ID>1</ID></Process_1>"
    "</ProcessInfo></MemoryExhaustionInfo></UserData></Event>"
)


def test_events_are_read_without_what_was_cut_off() -> None:
    found = parse_events(RESET[40:] + "\r\n" + RESET + SHORTAGE + RESET[:60])
    assert [(event.number, event.time, event.details) for event in found] == [
        (4101, "2026-11-12T19:03:11Z", ("nvlddmkm",)),
        (2004, "2026-11-02T08:00:00Z", ("python.exe",)),
    ]


@pytest.mark.parametrize("text", ["", "<Event></Event>", "<Event><</Event>", "no XML", "<Event " * 3])
def test_garbage_is_no_event(text: str) -> None:
    assert parse_events(text) == ()


def test_query_asks_for_the_last_days_only() -> None:
    assert "timediff(@SystemTime) <= 2592000000" in make_query()


@pytest.mark.parametrize(
    ("path", "existing", "drive"),
    [
        (r"D:\pagefile.sys", [], "D:"),
        (r"?:\pagefile.sys", [r"\??\E:\pagefile.sys"], "E:"),
        (r"?:\pagefile.sys", [], "C:"),
    ],
)
def test_drive_of_a_page_file(path: str, existing: list[str], drive: str) -> None:
    assert find_volume(path, existing, "c:") == drive


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
def test_crash_in_cuda_is_no_failed_import(torchdoctor, fake_torch, tmp_path: Path) -> None:
    env = fake_torch("from . import version\nclass cuda:\n  is_available = lambda: __import__('os').abort()")
    version = tmp_path / "fake" / "torch" / "version.py"
    version.write_text("__version__ = '2.9.0+cu128'\ncuda = '12.8'\n", encoding="utf-8")
    ended = torchdoctor("scan", "--format", "json", "--no-redact", env=env)
    facts = json.loads(ended.stdout)["facts"]
    outcomes = (facts["torch_import_trial"]["outcome"], facts["cuda_trial"]["outcome"])
    assert outcomes == ("imported", "died")
