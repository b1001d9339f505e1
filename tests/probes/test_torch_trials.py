"""A scan reports what importing torch does to its process: errors, crashes, hangs."""

import importlib.util
import json
import os
import sys
import time
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
    result = torchdoctor("scan", "--format", "json", "--no-redact", env=env)
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


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
def test_time_to_use_cuda_is_not_given_to_the_import(torchdoctor, fake_torch, tmp_path: Path) -> None:
    env = fake_torch(HANG, 3)
    version = tmp_path / "fake" / "torch" / "version.py"
    version.write_text("__version__ = '2.9.0+cu128'\ncuda = '12.8'\n", encoding="utf-8")
    result = torchdoctor("scan", "--format", "json", env=env)
    assert "did not finish within 3 s" in _find_failure_message(result)


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
@pytest.mark.parametrize(
    "code",
    [
        "import atexit, time; atexit.register(time.sleep, 600)",
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start(); raise OSError",
    ],
    ids=["function-at-exit", "thread", "thread-and-failure"],
)
def test_torch_that_keeps_its_process_is_not_waited_for(torchdoctor, fake_torch, code: str) -> None:
    begun = time.monotonic()
    trial = _read_facts(torchdoctor("scan", "--format", "json", env=fake_torch(code, 600)))[
        "torch_import_trial"
    ]
    assert trial["outcome"] == ("raised" if "raise" in code else "imported")
    assert time.monotonic() - begun < 100


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


# A torch with a GPU that it cannot use while one of three variables is set, as real ones were seen to fail.
CUDA_TORCH = """
import os
from . import version
__version__ = version.__version__
if "=" in os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""):
    os.abort()
def ones(*_, **__):
    if os.environ.get("CUDA_FORCE_PTX_JIT") == "1":
        raise RuntimeError("CUDA error: no kernel image is available for execution on the device")
    return type("Tensor", (), {"__mul__": lambda t, n: t, "sum": lambda t: t, "item": lambda t: 128.0})()
class cuda:
    is_available = lambda: os.environ.get("CUDA_DEVICE_ORDER") != "foo"
    device_count = lambda: 1
    get_arch_list = lambda: ["sm_89"]
    get_device_name = lambda _: "NVIDIA GeForce RTX 4090"
    get_device_capability = lambda _: (8, 9)
    def init(): raise RuntimeError("Unexpected error from cudaGetDeviceCount(). Error 101: invalid device ordinal")
"""


def _write_cuda_torch(fake_torch, folder: Path) -> dict[str, str]:
    env = fake_torch(CUDA_TORCH)
    version = folder / "fake" / "torch" / "version.py"
    version.write_text("__version__ = '2.9.0+cu128'\ncuda = '12.8'\n", encoding="utf-8")
    return env


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("CUDA_FORCE_PTX_JIT", "1", "no kernel image is available"),
        ("CUDA_DEVICE_ORDER", "foo", "invalid device ordinal"),
        ("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb=128", "it ends import torch; without it, torch was"),
    ],
)
def test_variable_without_which_a_kernel_runs_is_named(
    torchdoctor, fake_torch, tmp_path: Path, variable: str, value: str, words: str
) -> None:
    env = {**_write_cuda_torch(fake_torch, tmp_path), variable: value, "CUDA_MODULE_LOADING": "LAZY"}
    outcomes = json.loads(torchdoctor("scan", "--format", "json", env=env).stdout)["outcomes"]
    [found] = [each for each in outcomes if each["name"] == "hurtful-environment-variables"]
    messages = [finding["message"] for finding in found["findings"] if variable in finding["message"]]
    assert [words in message for message in messages] == [True]


@pytest.mark.skipif(sys.platform != "linux", reason="a fake torch is found by PYTHONPATH")
@pytest.mark.parametrize("visible", ["-1", ""], ids=["-1", "empty"])
def test_gpus_that_are_hidden_on_purpose_are_not_tried(torchdoctor, fake_torch, tmp_path, visible) -> None:
    env = _write_cuda_torch(fake_torch, tmp_path)
    file = tmp_path / "fake" / "torch" / "__init__.py"
    log = tmp_path / "imports"
    file.write_text(
        CUDA_TORCH.replace("    is_available = lambda:", "    is_available = lambda: False and")
        + f"open({str(log)!r}, 'a').write('.')\n",
        encoding="utf-8",
    )
    torchdoctor("scan", "--format", "json", env={**env, "CUDA_VISIBLE_DEVICES": visible})
    assert log.read_text(encoding="utf-8") == "."
