"""Observes a dataset: builds it, pickles it and loads from it, all in a child of the interpreter."""

import json
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, DatasetTrial
from torchdoctor.probes.dataset_answer import find_waiting_place, find_worker_seconds, read_trial
from torchdoctor.probes.torch import read_time_limit
from torchdoctor.processes.child import ChildError
from torchdoctor.processes.guest import read_answer, run_guest

# A whole trial has several stages, each with the limit of one; this ends what escapes that.
_MAX_STAGES = 12
_GRACE_SECONDS = 2.0
# Called with the name of a stage when it begins.
StageWatcher = Callable[[str], None]


@record
class Target:
    """What is tried: `package.module:name` or `path/to/file.py:name`, and its arguments."""

    text: str
    arguments: tuple[str, ...] = ()


def try_dataset(python: str, target: Target, watcher: StageWatcher) -> DatasetTrial | Absent:
    """Build, pickle and sample the dataset, then load from it with one spawned worker."""
    return _ask(python, target, {"mode": "try"}, watcher)


def measure_dataset(
    python: str, target: Target, trial: DatasetTrial, limit: int, watcher: StageWatcher
) -> DatasetTrial | Absent:
    """Measure worker counts from 0 to `limit`; the answer has only the measurements."""
    request: dict[str, object] = {
        "mode": "measure",
        "limit": limit,
        "start_up_seconds": trial.worker.start_up_seconds if trial.worker else None,
        "collate_lists": trial.collate_error is not None,
    }
    return _ask(python, target, request, watcher)


def _ask(
    python: str, target: Target, request: Mapping[str, object], watcher: StageWatcher
) -> DatasetTrial | Absent:
    limit = read_time_limit()
    with tempfile.TemporaryDirectory(prefix="torchdoctor-", ignore_cleanup_errors=True) as folder:
        file, stacks = Path(folder, "answer.json"), Path(folder, "stacks.txt")
        full = {
            **request,
            "target": target.text,
            "arguments": target.arguments,
            "stacks": str(stacks),
            "stage_seconds": limit,
            "worker_seconds": find_worker_seconds(limit),
        }
        watch = _Watch(file, limit + _GRACE_SECONDS, watcher)
        try:
            ended = run_guest(
                python,
                "trial.stages",
                file,
                json.dumps(full),
                time_limit_seconds=limit * _MAX_STAGES,
                give_up=watch.is_stuck,
            )
        except ChildError as error:
            return Absent(f"the trial could not be started: {error}")
        answer = read_answer(file) or {}
        place = find_waiting_place(stacks, answer)
    return read_trial(target.text, target.arguments, ended, answer, place, limit)


class _Watch:
    """Passes progress on, and says when a stage has taken longer than it may."""

    def __init__(self, file: Path, limit_seconds: float, watcher: StageWatcher) -> None:
        self._file, self._limit, self._watcher = file, limit_seconds, watcher
        self._step: object = None
        self._since = time.monotonic()

    def is_stuck(self) -> bool:
        answer = read_answer(self._file)
        step = answer.get("progress") if answer else None
        if answer and step != self._step:
            self._step, self._since = step, time.monotonic()
            self._watcher(str(answer.get("doing") or answer.get("stage")))
        return time.monotonic() - self._since > self._limit
