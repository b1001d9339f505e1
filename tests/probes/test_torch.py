"""A scan reports what importing torch does to its process: errors, crashes, hangs."""

import importlib.util
import json
import os
import sys
import venv
from pathlib import Path

import pytest

RAISE = "raise OSError(126, 'The specified module could not be found')"
ABORT = "import os; os.abort()"
HANG = "import time; time.sleep(600)"
GARBAGE = "import sys\nfor _ in range(20000): print('x' * 200)\nraise RuntimeError('after the noise')"
CLOSED_STREAMS = "import os; os.close(1); os.close(2); raise ImportError('no streams')"
EXIT = "import sys; sys.exit(3)"
MISSING_LIBRARY = "import ctypes; ctypes.CDLL('libtorch_that_is_not_there.so')"


def _find_failure_message(result) -> str:
    report = json.loads(result.stdout)
    outcome = next(item for item in report["outcomes"] if item["name"] == "torch-import-failed")
    return outcome["findings"][0]["message"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (RAISE, "could not be found"),
        (ABORT, "SIGABRT" if os.name != "nt" else "ends the process"),
        (HANG, "did not finish within 4 s"),
        (GARBAGE, "RuntimeError: after the noise"),
        (CLOSED_STREAMS, "ImportError: no streams"),
        (EXIT, "SystemExit: 3"),
        (MISSING_LIBRARY, "libtorch_that_is_not_there"),
    ],
    ids=["raises", "aborts", "hangs", "prints-megabytes", "closes-streams", "exits", "missing-library"],
)
def test_report_says_how_the_import_failed(torchdoctor, fake_torch, code: str, expected: str) -> None:
    env = fake_torch(code, 4 if code == HANG else 60)
    result = torchdoctor("scan", "--format", "json", env=env)
    assert expected in _find_failure_message(result)
    assert result.returncode == 1


def test_grandchild_left_behind_does_not_block_the_scan(torchdoctor, fake_torch) -> None:
    code = (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        + HANG
    )
    assert "did not finish" in _find_failure_message(
        torchdoctor("scan", "--format", "json", env=fake_torch(code, 4))
    )


def test_report_names_the_library_of_the_wrong_architecture(torchdoctor, fake_torch, tmp_path) -> None:
    library = tmp_path / "libtorch.so"
    # The first bytes of a 32-bit ELF file, followed by nothing that can be loaded.
    library.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(200))
    result = torchdoctor(
        "scan", "--format", "json", env=fake_torch(f"import ctypes; ctypes.CDLL({str(library)!r})")
    )
    assert "libtorch.so" in _find_failure_message(result)


def test_no_trials_imports_nothing(torchdoctor, fake_torch, tmp_path) -> None:
    code = f"open({str(tmp_path / 'imported')!r}, 'w')"
    torchdoctor("scan", "--no-trials", env=fake_torch(code))
    assert not (tmp_path / "imported").exists()


def test_scan_never_imports_torch_in_its_own_process(torchdoctor, fake_torch) -> None:
    code = "import os, sys\nif 'torchdoctor' in sys.modules: os._exit(77)"
    result = torchdoctor("scan", "--select", "torch-import-failed", env=fake_torch(code))
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("name", ["json", "random", "torch", "typing"])
def test_file_with_the_name_of_a_module_is_not_imported(torchdoctor, tmp_path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    result = torchdoctor("scan", "--no-trials", "--select", "python-32bit")
    assert result.returncode == 0, result.stderr


@pytest.mark.torch
def test_real_torch_can_be_imported(torchdoctor) -> None:
    pytest.importorskip("importlib.metadata").version("torch")
    result = torchdoctor("scan", "--format", "json")
    assert result.returncode == 0, result.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
def test_crash_in_cuda_is_not_a_failed_import(torchdoctor, fake_torch, tmp_path: Path) -> None:
    env = fake_torch("from . import version\nclass cuda:\n  is_available = lambda: __import__('os').abort()")
    version = tmp_path / "fake" / "torch" / "version.py"
    version.write_text("__version__ = '2.9.0+cu128'\ncuda = '12.8'\n", encoding="utf-8")
    result = torchdoctor("scan", "--format", "json", "--no-redact", env=env)
    facts = json.loads(result.stdout)["facts"]
    outcomes = (facts["torch_import_trial"]["outcome"], facts["cuda_trial"]["outcome"])
    assert outcomes == ("imported", "died")


def _read_facts(result) -> dict:
    return json.loads(result.stdout)["facts"]


@pytest.mark.skipif(sys.platform != "linux", reason="os.abort ends the process with another code")
@pytest.mark.parametrize(
    ("code", "outcome"),
    [(ABORT, "same"), ("import sys\n'torch' in sys.modules and __import__('os').abort()", "works")],
    ids=["alone-too", "only-with-torch"],
)
def test_crash_is_tried_again_without_torch(
    torchdoctor, fake_torch, tmp_path, code: str, outcome: str
) -> None:
    env = fake_torch("import extra")
    (tmp_path / "fake" / "extra.py").write_text(code, encoding="utf-8")
    trial = _read_facts(torchdoctor("scan", "--format", "json", env=env))["torch_import_trial"]
    assert (trial["crash"]["culprit"], trial["second_trial"]["outcome"]) == ("extra", outcome)


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
@pytest.mark.parametrize(
    ("code", "variable"),
    [
        ("def add():\n  'Add.'\nadd.__doc__.format()", "PYTHONOPTIMIZE"),
        ("import warnings; warnings.warn('old', DeprecationWarning)", "PYTHONWARNINGS"),
        ("raise ValueError('always')", None),
    ],
    ids=["docstrings", "warnings", "neither"],
)
def test_variable_without_which_torch_is_imported_is_named(torchdoctor, fake_torch, code, variable) -> None:
    env = {**fake_torch(code), "PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error::DeprecationWarning"}
    trial = _read_facts(torchdoctor("scan", "--format", "json", env=env))["torch_import_trial"]
    assert (trial["second_trial"] or {}).get("variable") == variable


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of a virtual environment on Linux")
@pytest.mark.parametrize("name", ["sitecustomize.py", "extra.pth"])
def test_crash_at_the_start_of_python_names_the_file(torchdoctor, tmp_path, name: str) -> None:
    if importlib.util.find_spec(Path(name).stem) is not None:
        pytest.skip(f"this Python has a {name} of its own, as Ubuntu's does")
    venv.create(tmp_path / "v", symlinks=True)
    site = next((tmp_path / "v" / "lib").glob("python*/site-packages"))
    (site / "torch").mkdir()
    (site / "torch" / "__init__.py").touch()
    (site / name).write_text(ABORT, encoding="utf-8")
    result = torchdoctor("scan", "--format", "json", "--python", tmp_path / "v" / "bin" / "python")
    facts = _read_facts(result)
    found = (facts["interpreter"]["start_crash"]["culprit"], facts["torch_import_trial"]["second_trial"])
    assert found == (name, {"outcome": "works", "exit_meaning": None, "variable": None})
