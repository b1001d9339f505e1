"""Children, and what they leave as their answer."""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from hypothesis import strategies as st
from mutations import damaged_json, damaged_texts

from targets.table import KNOWLEDGE, OF_FACTS, SHARED_MEMORY, require_no_error, require_report, target
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts import (
    Absent,
    Distributions,
    Facts,
    Interpreter,
)
from torchdoctor.probes.dataset_answer import find_waiting_place, read_trial
from torchdoctor.probes.gpu import read_driver
from torchdoctor.probes.interpreter import read_description
from torchdoctor.probes.torch_trials import read_cuda, read_import
from torchdoctor.processes.child import ChildResult, run_child
from torchdoctor.processes.guest import read_answer

DESCRIPTION = {
    "executable": "/usr/bin/python3", "version": "3.11.7", "implementation": "CPython", "bits": 64,
    "platform_tag": "linux-x86_64", "prefix": "/usr", "base_prefix": "/usr", "application_folder": "/usr/bin",
    "user_base": None, "free_threaded": False, "import_path": ["/usr/lib/python3.11"],
    "distributions": [["torch", "2.9.0", "/usr/lib"]], "torch": {"origin": "/t/__init__.py", "folder": "/t"},
}  # fmt: skip
CUDA = {
    "stage": "answered", "seconds": 1.5, "available": True, "device_count": 1, "device_name": "NVIDIA H100",
    "capability": [9, 0], "architectures": ["sm_90"], "kernel_ran": True, "kernel_error": None, "error": None,
    "warnings": ["a warning"],
}  # fmt: skip
IMPORT = {
    "stage": "imported", "seconds": 2.5, "version": "2.9.0", "file": "/t/__init__.py", "exception_type": None,
    "exception_message": None, "winerror": None, "traceback": None, "private_bytes_before": 1,
    "private_bytes_after": 2, "cuda": CUDA,
}  # fmt: skip
GPU = {
    "name": "NVIDIA H100", "compute_capability": [9, 0], "memory_bytes": 85 << 30, "driver_models": [1, 1],
    "display_active": False,
}  # fmt: skip
DRIVER = {"version": "580.65", "cuda": 13000, "gpus": [GPU]}
TRIAL = {
    "outcome": "completed", "stage": "worker", "kind": "map", "type_name": "D", "length": 100,
    "build_seconds": 0.1, "sample_seconds": 0.01, "batch_bytes": 4096, "batch_size": 4,
    "parts": [{"name": "dataset", "bytes": 100, "seconds": 0.1, "error": None, "heavy": [["x", 5]]}],
    "sample_on_device": [["x", "cuda"]], "sample_unpicklable": [["y", "lambda"]],
    "worker": {"seconds": 1.0, "private_bytes": 5, "batches": 1},
    "measurements": [{"num_workers": 1, "start_seconds": 0.5, "samples_per_second": 10.0}],
    "library": ["/usr/lib"], "progress": 3, "doing": "load", "exit_code": -11, "message": "x", "place": "a.py:1",
}  # fmt: skip
EXITS = st.sampled_from((0, 1, -11, 3221225477, -(2**31), 2**40, None))


@target(
    damaged_json((DESCRIPTION, IMPORT, DRIVER, TRIAL)),
    EXITS,
    st.sampled_from(
        ("", "\x1b[31mgarbage", 'Fatal Python error: Aborted\n\nThread 0x1:\n  File "a.py", line 1 in f')
    ),
)
def answer(document: object, exit_code: int | None, output: str) -> None:
    """What a child left as its answer becomes facts, or is refused."""
    child = ChildResult(exit_code, 1.0, output, output)
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "answer.json")
        file.write_text(json.dumps(document), encoding="utf-8")
        read = read_answer(file)
    data: Mapping[str, object] = read or {}
    values: dict[type, object] = {}
    for value in (
        read_import(child, data, 60.0, ("/usr/lib",)),
        read_cuda(child, read),
        read_driver(child, read),
        read_trial("a.py:D", (), child, data, None, 60.0),
    ):
        if not isinstance(value, Absent):
            values[type(value)] = value
    with contextlib.suppress(KeyError, TypeError, ValueError):
        description = read_description(data, "given")
        values[Interpreter], values[Distributions] = description.interpreter, description.distributions
    outcomes = run_checks(OF_FACTS, Facts(values), KNOWLEDGE)
    require_no_error(outcomes)
    require_report(outcomes, Facts(values))


@target(
    damaged_texts(('{"stage": "imported"}', json.dumps(IMPORT))),
    damaged_texts(('File "/a.py", line 3 in f',)),
)
def answer_file(content: str, stacks: str) -> None:
    """A file that is no answer is none."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "answer.json")
        file.write_bytes(content.encode("utf-8", errors="replace"))
        read = read_answer(file)
        assert read is None or isinstance(read, dict)
        file.write_bytes(stacks.encode("utf-8", errors="replace"))
        find_waiting_place(file, read or {})


ACTIONS = (
    "os.write(1, b'\\xff\\x1b[31m' * 9)", "os.write(2, b'x' * 200_000)", "os.close(1)", "os.close(2)", "os.close(0)",
    "os._exit(3)", "os.kill(os.getpid(), 11)", "os.abort()", "raise SystemExit('\\ud800')", "time.sleep(0.05)",
    "os.fork()", "os.setsid() if os.getpgrp() != os.getpid() else None", "signal.signal(15, signal.SIG_IGN)",
    "os.fork() or (os.setsid(), os.fork() or time.sleep(30))", "os.chdir('/')", "os.environ.clear()",
    "os.dup2(1, 2)", "os.umask(0o777)", "sys.stdout.write('a\\r\\nb')", "signal.alarm(1)", "os.nice(5)",
    "threading.Thread(target=time.sleep, args=(0.2,)).start()", "os.kill(os.getpid(), 19)",
)  # fmt: skip


@target(st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=5))
def child(actions: list[str]) -> None:
    """A child does what it likes; it ends in time, and nothing of it is left."""
    mark = f"fuzz-{os.getpid()}-{os.urandom(6).hex()}"
    program = "\n".join(("import os, signal, sys, threading, time", *actions))
    environment = {**os.environ, "TORCHDOCTOR_FUZZ": mark}
    command = (sys.executable, "-S", "-E", "-c", program)
    result = run_child(command, time_limit_seconds=2.0, environment=environment)
    result.stdout_tail.encode("utf-8")
    left = list(find_marked(mark.encode()))
    assert not left, f"still running: {left}"


def find_marked(mark: bytes) -> Iterator[str]:
    """Yield the processes, other than zombies, that have the mark in their first environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes():
                yield (folder / "stat").read_text()[:60]
