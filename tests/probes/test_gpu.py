"""The NVIDIA driver as NVML reports it, and every way in which NVML can fail."""

import _ctypes
import shutil
import sys
from pathlib import Path

import pytest

from torchdoctor.facts import Absent, NvidiaDriver
from torchdoctor.probes import gpu
from torchdoctor.processes.child import ChildResult

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


def _observe(monkeypatch, folder: Path, init: str = "pass", model: str = "return [0, 0]"):
    (folder / "pynvml.py").write_text(FAKE.format(init=init, model=model), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    # Any library will do. The probe looks for it, or loads it, before it imports the bindings.
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))
    shutil.copy(_ctypes.__file__, folder / "libnvidia-ml.so.1")
    monkeypatch.setenv("WINDIR", str(folder))
    (folder / "System32").mkdir()
    (folder / "System32" / "nvml.dll").touch()
    return gpu.observe_nvidia_driver()


@pytest.mark.parametrize(
    ("error", "state"), [(12, "missing"), (9, "not loaded"), (18, "mismatch")], ids=["none", "idle", "update"]
)
def test_distinguishes_driver_states(monkeypatch, tmp_path: Path, error: int, state: str) -> None:
    assert _observe(monkeypatch, tmp_path, f"_refuse({error})").state == state


@pytest.mark.skipif(sys.platform != "linux", reason="the loader's cache is Linux's")
@pytest.mark.parametrize(
    ("cache", "state"), [(b"libc.so.6", "missing"), (b"libnvidia-ml.so.1", "not loaded")]
)
def test_looks_for_the_library_before_it_starts_a_child(monkeypatch, tmp_path: Path, cache, state) -> None:
    # A machine with a GPU may name its folder there.
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    (tmp_path / "ld.so.cache").write_bytes(b"glibc-ld.so.cache1.1" + cache)
    monkeypatch.setattr(gpu, "_LOADER_CACHE", tmp_path / "ld.so.cache")
    answer = {"error": 9, "message": "idle"}
    monkeypatch.setattr(gpu, "ask_guest", lambda *_, **__: (ChildResult(0, 0.1, "", ""), answer))
    assert gpu.observe_nvidia_driver().state == state


def test_other_error_is_not_a_missing_driver(monkeypatch, tmp_path: Path) -> None:
    assert _observe(monkeypatch, tmp_path, "_refuse(4)") == Absent("NVML refused: error 4")


def test_hanging_nvml_is_stopped_at_the_time_limit(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpu, "NVML_SECONDS", 1.0)
    assert (
        "did not answer within 1 s" in _observe(monkeypatch, tmp_path, "import time; time.sleep(60)").reason
    )


def test_crashing_nvml_gives_an_absent_driver(monkeypatch, tmp_path: Path) -> None:
    assert isinstance(_observe(monkeypatch, tmp_path, "import os; os.abort()"), Absent)


def test_reads_driver_and_gpu(monkeypatch, tmp_path: Path) -> None:
    driver = _observe(monkeypatch, tmp_path)
    assert (driver.version, driver.cuda, driver.gpus[0].compute_capability) == ("566.36", "12.7", (8, 9))


def test_only_the_refused_value_is_absent(monkeypatch, tmp_path: Path) -> None:
    card = _observe(monkeypatch, tmp_path).gpus[0]
    assert (card.memory_bytes, card.driver_model) == (Absent("NVML refused: error 3"), "WDDM")


def test_copy_of_the_bindings_comes_before_installed_ones(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    copy = FAKE.format(init="pass", model="return [0, 0]").replace("566.36", "999.99")
    (tmp_path / "copies" / "pynvml.py").write_text(copy, encoding="utf-8")
    monkeypatch.setattr(gpu, "find_copies", lambda: (str(tmp_path / "copies"),))
    assert _observe(monkeypatch, tmp_path).version == "999.99"


def test_older_driver_is_read_with_the_older_call(monkeypatch, tmp_path: Path) -> None:
    card = _observe(monkeypatch, tmp_path, model="_refuse(13)").gpus[0]
    assert (card.driver_model, card.pending_driver_model) == ("TCC", "MCDM")


@pytest.mark.parametrize("answer", [None, {}, {"gpus": {}}, {"gpus": [[]]}, {"error": []}, {"version": 1}])
def test_reads_any_answer(answer) -> None:
    assert isinstance(gpu.read_driver(ChildResult(0, 0.1, "", ""), answer), (Absent, NvidiaDriver))
