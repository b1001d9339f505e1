"""Observes a dataset: builds it, pickles it and loads from it, all in a child of the interpreter."""

import json
import math
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from torchdoctor.bundled import read_bundled
from torchdoctor.facts import Absent, DatasetTrial
from torchdoctor.probes.child import ChildError, run_child
from torchdoctor.probes.dataset_answer import find_waiting_place, read_answer, read_trial
from torchdoctor.probes.target import Target
from torchdoctor.probes.torch import read_time_limit

# In an order in which each finds what it imports.
_SCRIPTS = (
    "inside", "inside_places", "inside_kinds", "inside_spawning", "inside_tracing", "inside_pickling",
    "inside_loading", "inside_target", "inside_sharding", "inside_dataset",
)  # fmt: skip

# The scripts import each other by the names that they have here; these names are gone before the
# user's code runs, which may import a torchdoctor of its own.
_BOOTSTRAP = """
import sys, json, types
sys.path[:1] = []
data = json.load(sys.stdin.buffer)
for name in ("torchdoctor", "torchdoctor.probes"):
    sys.modules[name] = types.ModuleType(name)
for name, source in data["sources"]:
    full = "torchdoctor.probes." + name
    module = sys.modules[full] = types.ModuleType(full)
    setattr(sys.modules["torchdoctor.probes"], name, module)
    exec(compile(source, "<" + name + ">", "exec"), module.__dict__)
for name in [name for name in sys.modules if name.partition(".")[0] == "torchdoctor"]:
    del sys.modules[name]
module.main(data["request"])
"""

# A whole trial has several stages, each with the limit of one; this ends what escapes that.
_MOST_STAGES = 12
_GRACE_SECONDS = 2.0

Progress = Callable[[str], None]


def try_dataset(python: str, target: Target, progress: Progress) -> DatasetTrial | Absent:
    """Build, pickle and sample the dataset, then load from it with one spawned worker."""
    return _ask(python, target, {"mode": "try"}, progress)


def measure_dataset(
    python: str, target: Target, trial: DatasetTrial, limit: int, progress: Progress
) -> DatasetTrial | Absent:
    """Measure worker counts from 0 to `limit`; the answer has only the measurements."""
    request: dict[str, object] = {
        "mode": "measure",
        "limit": limit,
        "start_up_seconds": trial.worker.start_up_seconds if trial.worker else None,
        "collate_lists": trial.collate_error is not None,
    }
    return _ask(python, target, request, progress)


def _ask(
    python: str, target: Target, request: Mapping[str, object], progress: Progress
) -> DatasetTrial | Absent:
    limit = read_time_limit()
    with tempfile.TemporaryDirectory(prefix="torchdoctor-", ignore_cleanup_errors=True) as folder:
        result, stacks = Path(folder, "result.json"), Path(folder, "stacks.txt")
        full = {
            **request,
            "target": target.text,
            "arguments": target.arguments,
            "result": str(result),
            "stacks": str(stacks),
            "stage_seconds": limit,
            # A worker that hangs is told by torch, before the stage is over.
            "worker_seconds": max(1, math.floor(limit * 0.7)),
        }
        watch = _Watch(result, limit + _GRACE_SECONDS, progress)
        sources = [(name, _read_script(name)) for name in _SCRIPTS]
        try:
            ended = run_child(
                (python, "-c", _BOOTSTRAP),
                time_limit_seconds=limit * _MOST_STAGES,
                stdin=json.dumps({"sources": sources, "request": full}).encode(),
                give_up=watch.is_stuck,
            )
        except ChildError as error:
            return Absent(f"the trial could not be started: {error}")
        answer = read_answer(result) or {}
        place = find_waiting_place(stacks, answer)
    return read_trial(target, ended, answer, place, limit)


def _read_script(name: str) -> str:
    return read_bundled("torchdoctor.probes", f"{name}.py").decode("utf-8")


class _Watch:
    """Tells progress on, and when a stage has taken longer than it may."""

    def __init__(self, result: Path, limit_seconds: float, progress: Progress) -> None:
        self._result, self._limit, self._progress = result, limit_seconds, progress
        self._step: object = None
        self._since = time.monotonic()

    def is_stuck(self) -> bool:
        answer = read_answer(self._result)
        step = answer.get("progress") if answer else None
        if answer and step != self._step:
            self._step, self._since = step, time.monotonic()
            self._progress(str(answer.get("doing") or answer.get("stage")))
        return time.monotonic() - self._since > self._limit
