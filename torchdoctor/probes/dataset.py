"""Observes a dataset: a child of the interpreter builds it, pickles it and loads from it."""

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, DatasetTrial
from torchdoctor.probes.dataset_answer import find_waiting_place, read_trial, worker_limit_seconds
from torchdoctor.probes.torch_trials import read_time_limit
from torchdoctor.processes.child import ChildError
from torchdoctor.processes.guest import read_answer, run_guest
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end

# Each stage has a time limit. As a last resort, the whole trial is ended after this many stage limits.
_MAX_STAGES = 12
# A child writes its stacks when a stage reaches its limit, and is ended this much later.
_GRACE_SECONDS = 2.0
# Called with a description of each stage when the stage begins.
StageWatcher = Callable[[str], None]


@record
class Target:
    """The dataset to try, as `package.module:name` or `path/to/file.py:name`, and its arguments."""

    text: str
    arguments: tuple[str, ...] = ()


def try_dataset(python: str, target: Target, watcher: StageWatcher) -> DatasetTrial | Absent:
    """Build, pickle and sample the dataset, then load from it with one spawned worker."""
    return _run_trial(python, target, {"mode": "try"}, watcher)


def measure_dataset(
    python: str, target: Target, trial: DatasetTrial, limit: int, watcher: StageWatcher
) -> DatasetTrial | Absent:
    """Measure worker counts from 0 to `limit`; the returned trial has only the measurements."""
    request: dict[str, object] = {
        "mode": "measure",
        "limit": limit,
        "start_up_seconds": trial.worker.start_up_seconds if trial.worker else None,
        "collate_lists": trial.collate_error is not None,
    }
    return _run_trial(python, target, request, watcher)


def _run_trial(
    python: str, target: Target, request: Mapping[str, object], watcher: StageWatcher
) -> DatasetTrial | Absent:
    limit_seconds = read_time_limit()
    with remove_at_end(make_scratch_folder()) as folder:
        answer_file, stacks_file = Path(folder, "answer.json"), Path(folder, "stacks.txt")
        full_request = {
            **request,
            "target": target.text,
            "arguments": target.arguments,
            "stacks": str(stacks_file),
            "stage_seconds": limit_seconds,
            "worker_seconds": worker_limit_seconds(limit_seconds),
        }
        timer = _StageTimer(answer_file, limit_seconds + _GRACE_SECONDS, watcher)
        try:
            child = run_guest(
                python,
                "trial.stages",
                answer_file,
                json.dumps(full_request),
                time_limit_seconds=limit_seconds * _MAX_STAGES,
                give_up=timer.is_over_limit,
            )
        except ChildError as error:
            return Absent(f"the trial could not be started: {error}")
        answer = read_answer(answer_file) or {}
        waiting_place = find_waiting_place(stacks_file, answer)
    return read_trial(target.text, target.arguments, child, answer, waiting_place, limit_seconds)


class _StageTimer:
    """Reports each new stage to a watcher, and whether the current stage exceeds its time limit."""

    def __init__(self, answer_file: Path, limit_seconds: float, watcher: StageWatcher) -> None:
        self._answer_file, self._limit_seconds, self._watcher = answer_file, limit_seconds, watcher
        self._progress: object = None
        self._stage_start = time.monotonic()

    def is_over_limit(self) -> bool:
        answer = read_answer(self._answer_file)
        progress = answer.get("progress") if answer else None
        if answer and progress != self._progress:
            self._progress, self._stage_start = progress, time.monotonic()
            self._watcher(str(answer.get("doing") or answer.get("stage")))
        return time.monotonic() - self._stage_start > self._limit_seconds
