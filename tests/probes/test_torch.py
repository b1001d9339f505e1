"""Whatever importing torch does to its process, the report comes all the same and names it."""

import json
import os
import sys
from pathlib import Path

import pytest

RAISE = "raise OSError(126, 'The specified module could not be found')"
ABORT = "import os; os.abort()"
HANG = "import time; time.sleep(600)"
GARBAGE = "import sys\nfor _ in range(20000): print('x' * 200)\nraise RuntimeError('after the noise')"
KILLED_STREAMS = "import os; os.close(1); os.close(2); raise ImportError('no streams')"
QUITS = "import sys; sys.exit(3)"
MISSING_LIBRARY = "import ctypes; ctypes.CDLL('libtorch_that_is_not_there.so')"


def _failure(ended) -> str:
    report = json.loads(ended.stdout)
    outcome = next(item for item in report["outcomes"] if item["name"] == "torch-import-failed")
    return outcome["findings"][0]["message"]


@pytest.mark.parametrize(
    ("code", "named"),
    [
        (RAISE, "could not be found"),
        (ABORT, "SIGABRT" if os.name != "nt" else "ends the process"),
        (HANG, "did not finish within 4 s"),
        (GARBAGE, "RuntimeError: after the noise"),
        (KILLED_STREAMS, "ImportError: no streams"),
        (QUITS, "SystemExit: 3"),
        (MISSING_LIBRARY, "libtorch_that_is_not_there"),
    ],
    ids=["raises", "aborts", "hangs", "prints-megabytes", "closes-streams", "exits", "missing-library"],
)
def test_broken_torch_gets_a_full_report(torchdoctor, fake_torch, code: str, named: str) -> None:
    ended = torchdoctor("scan", "--format", "json", env=fake_torch(code))
    assert named in _failure(ended)
    assert ended.returncode == 1


def test_child_that_leaves_a_grandchild_behind_does_not_hold_the_doctor(torchdoctor, fake_torch) -> None:
    code = (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        + HANG
    )
    assert "did not finish" in _failure(torchdoctor("scan", "--format", "json", env=fake_torch(code)))


def test_library_of_the_wrong_architecture_is_named(torchdoctor, fake_torch, tmp_path) -> None:
    library = tmp_path / "libtorch.so"
    # The identification of a 32-bit ELF file, then nothing that could be loaded.
    library.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(200))
    ended = torchdoctor(
        "scan", "--format", "json", env=fake_torch(f"import ctypes; ctypes.CDLL({str(library)!r})")
    )
    assert "libtorch.so" in _failure(ended)


def test_no_trials_imports_nothing(torchdoctor, fake_torch, tmp_path) -> None:
    code = f"open({str(tmp_path / 'imported')!r}, 'w')"
    torchdoctor("scan", "--no-trials", env=fake_torch(code))
    assert not (tmp_path / "imported").exists()


def test_scan_never_imports_torch_in_its_own_process(torchdoctor, fake_torch) -> None:
    code = "import os, sys\nif 'torchdoctor' in sys.modules: os._exit(77)"
    assert torchdoctor("scan", env=fake_torch(code)).returncode == 0


@pytest.mark.parametrize("name", ["json", "random", "torch", "typing"])
def test_file_of_a_known_name_in_the_folder_does_no_harm(torchdoctor, tmp_path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    ended = torchdoctor("scan", "--no-trials", "--select", "python-32bit")
    assert ended.returncode == 0, ended.stderr


@pytest.mark.torch
def test_real_torch_imports(torchdoctor) -> None:
    pytest.importorskip("importlib.metadata").version("torch")
    ended = torchdoctor("scan", "--format", "json")
    assert ended.returncode == 0, ended.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
def test_crash_in_cuda_is_no_failed_import(torchdoctor, fake_torch, tmp_path: Path) -> None:
    env = fake_torch("from . import version\nclass cuda:\n  is_available = lambda: __import__('os').abort()")
    version = tmp_path / "fake" / "torch" / "version.py"
    version.write_text("__version__ = '2.9.0+cu128'\ncuda = '12.8'\n", encoding="utf-8")
    ended = torchdoctor("scan", "--format", "json", "--no-redact", env=env)
    facts = json.loads(ended.stdout)["facts"]
    outcomes = (facts["torch_import_trial"]["outcome"], facts["cuda_trial"]["outcome"])
    assert outcomes == ("imported", "died")
