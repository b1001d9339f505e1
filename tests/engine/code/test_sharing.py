"""Several processes find what one finds, and whatever becomes of them, the files are examined."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from torchdoctor.engine.code import sharing, workers
from torchdoctor.engine.code.examination import CodeOptions, ExaminedCode, examine_code, reads_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

REGISTRY = load_registry()
CHECKS = [check for check in REGISTRY.checks if reads_code(check)]
SAMPLES = Path(__file__).parents[2] / "samples"
# A check that ends another process when it reads a file of that name there, and hangs here and there. This
# process waits until the other one has come to that file: else it would take it, where starting is slow.
HURTFUL = '''
"""A check that ends a process."""
import os, signal, sys, time
from collections.abc import Iterator
from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile

@check
def their_problem(source: SourceFile) -> Iterator[Finding]:
    name = os.path.basename(source.path)
    yield Finding(f"seen in {name}")
    parent = os.environ.get("TORCHDOCTOR_CHILD", str(os.getpid())).partition("-")[0]
    reached = os.path.abspath(f"reached-{parent}")
    if "TORCHDOCTOR_CHILD" not in os.environ:
        end = time.monotonic() + 60
        while not os.path.exists(reached) and time.monotonic() < end:
            time.sleep(0.01)
    elif name[0] == "g":
        open(reached, "w").close()
    if "TORCHDOCTOR_CHILD" not in os.environ:
        pass
    elif "crash" in name:
        os.kill(os.getpid(), signal.SIGSEGV)
    elif "exit" in name:
        os._exit(3)
    if "hang" in name:
        print("hanging", os.getpid(), file=sys.stderr, flush=True)
        time.sleep(100)
'''
ENTRY = """```toml
family = "source"
severity = "warning"
```

# Their problem

Lead.

## Why
Because.

## Fix
1. Mend it.
"""


def examine(*paths: Path, processes: int = 3) -> ExaminedCode:
    return examine_code(paths, CHECKS, Facts(), REGISTRY.knowledge, options=CodeOptions(processes))


def test_three_processes_find_what_one_finds() -> None:
    found = examine(SAMPLES)
    assert sum(len(outcome.findings) for outcome in found.outcomes) > 50
    assert found == examine(SAMPLES, processes=1)


def test_process_that_cannot_be_started_leaves_its_files_to_this_one(monkeypatch) -> None:
    monkeypatch.setattr(workers.sys, "executable", "/nowhere/python")
    assert examine(SAMPLES) == examine(SAMPLES, processes=1)


def test_process_whose_python_is_another_leaves_its_files_to_this_one(monkeypatch) -> None:
    monkeypatch.setattr(workers, "_PROGRAM", "print('garbage'); 1/0")
    assert examine(SAMPLES) == examine(SAMPLES, processes=1)


def test_answers_that_end_in_the_middle_are_completed(monkeypatch) -> None:
    program = workers._PROGRAM.replace(
        "work(request)", "request['paths'] = request['paths'][:5]; work(request)"
    )
    monkeypatch.setattr(
        workers,
        "_PROGRAM",
        program + "\nwith open(request['answer_file'], 'a') as file: file.write('[\"half')",
    )
    assert examine(SAMPLES) == examine(SAMPLES, processes=1)


def test_more_processes_than_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import os\nos.fork()\n", encoding="utf-8")
    found = examine(tmp_path, processes=9)
    assert found == examine(tmp_path, processes=1) and any(outcome.findings for outcome in found.outcomes)


def test_small_folders_are_examined_in_one_process(monkeypatch) -> None:
    monkeypatch.setattr(sharing, "Worker", None)
    assert examine(SAMPLES, processes=0) == examine(SAMPLES, processes=1)


def test_configuration_is_no_reason_for_more_processes(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("num_workers: 16\n" * 100, encoding="utf-8")
    monkeypatch.setattr(sharing, "_BYTES_PER_PROCESS", 10)
    monkeypatch.setattr(sharing, "count_processors", lambda: 8)
    assert sharing._choose_processes({"a.yaml": tmp_path / "a.yaml"}) == 1
    (tmp_path / "a.py").write_text("x = 1\n" * 10, encoding="utf-8")
    assert sharing._choose_processes({"a.py": tmp_path / "a.py"}) == 4


def test_large_folders_are_examined_in_several(monkeypatch, tmp_path: Path) -> None:
    started: list[int] = []

    class Worker(workers.Worker):
        def __init__(self, paths, examiner, folder, number) -> None:
            started.append(len(paths))
            super().__init__(paths, examiner, folder, number)

    monkeypatch.setattr(sharing, "Worker", Worker)
    monkeypatch.setattr(sharing, "count_processors", lambda: 2)
    monkeypatch.setattr(sharing, "_BYTES_PER_PROCESS", 10)
    examine(SAMPLES, processes=0)
    assert len(started) == 1 and started[0] > 10


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(("name", "is_named"), [("g_crash.py", True), ("g_exit.py", False)])
def test_only_the_file_at_which_a_process_crashes_is_missing(
    torchdoctor, hurtful: dict[str, str], tmp_path: Path, name: str, is_named: bool
) -> None:
    names = _write_files(tmp_path / "code", name)
    result = torchdoctor("scan", "code", *OPTIONS, "--format", "json", env=hurtful)
    findings = json.loads(result.stdout)["outcomes"][0]["findings"]
    missing = {name} if is_named else set()
    assert {each["message"].removeprefix("seen in ") for each in findings} == names - missing
    notice = f"{os.path.join('code', name)}: not read: the process that examined it ended: signal SIGSEGV"
    assert (notice in result.stderr) == is_named


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_answers_of_a_process_that_crashed_are_not_kept(
    torchdoctor, hurtful: dict[str, str], tmp_path: Path
) -> None:
    _write_files(tmp_path / "code", "g_crash.py")
    kept = {"TORCHDOCTOR_CACHE_DIR": str(tmp_path / "kept")}
    options = [option for option in OPTIONS if option != "--no-cache"]
    for _ in range(2):
        result = torchdoctor("scan", "code", *options, env={**hurtful, **kept})
        assert "signal SIGSEGV" in result.stderr
    (file,) = (tmp_path / "kept" / "code").iterdir()
    assert b"h11.py" in file.read_bytes() and b"crash" not in file.read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no Ctrl-C to one process")
def test_interrupt_ends_all_processes(hurtful: dict[str, str], tmp_path: Path) -> None:
    _write_files(tmp_path / "code", "a_hang.py", "g_hang.py")
    with subprocess.Popen(
        [sys.executable, "-m", "torchdoctor", "scan", "code", *OPTIONS],
        cwd=tmp_path,
        env={**os.environ, **hurtful},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None and process.stderr.readline().startswith(b"hanging")
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130 and b"Traceback" not in stderr
    children = Path("/proc").glob("[0-9]*/environ")
    assert not any(f"TORCHDOCTOR_CHILD={process.pid}-".encode() in _read(child) for child in children)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


OPTIONS = ("--no-trials", "--select", "their-problem", "--jobs", "2", "--no-cache")


@pytest.fixture
def hurtful(install_plugin, tmp_path: Path) -> dict[str, str]:
    """The variables with which the check is installed."""
    return install_plugin(tmp_path / "site", {"their_problem": HURTFUL}, {"their_problem": ENTRY})


def _write_files(folder: Path, *hurtful: str) -> set[str]:
    folder.mkdir()
    names = {f"{letter}{number:02}.py" for letter in "fh" for number in range(12)} | set(hurtful)
    for name in names:
        (folder / name).write_text("import torch\n", encoding="utf-8")
    return names
