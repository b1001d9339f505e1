"""The `loader` command: observe facts, try the dataset, measure worker counts, and make the plan."""

import os
from collections.abc import Iterable
from dataclasses import replace

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.facts import Absent, DatasetTrial, TorchImportTrial
from torchdoctor.loader.plan import PLAN_FACTS, LoaderPlan, find_safe_workers, make_plan
from torchdoctor.loader.troubles import find_troubles
from torchdoctor.probes.dataset import Target, measure_dataset, try_dataset


@record
class LoaderRequest:
    """The arguments of `loader`."""

    target: str | None = None
    arguments: tuple[str, ...] = ()
    python: str | None = None
    measures: bool = False


@record
class PlannedLoader:
    """The plan for a dataset, or for any dataset if none was named."""

    plan: LoaderPlan

    @property
    def exit_code(self) -> int:
        """1 if the dataset cannot be loaded with workers, or not at all, else 0."""
        trial = self.plan.trial
        if trial is None:
            return 0
        return int(any(trouble.level == "error" for trouble in find_troubles(trial, self.plan.bounds)))


def plan_loader(request: LoaderRequest, watcher: Watcher) -> PlannedLoader:
    """Observe the machine, try the dataset if one is named, and make the plan.

    Raises:
        UsageError: the target or the interpreter is not usable.
    """
    with Examiner(request.python) as examiner:
        if request.target is not None:
            target = parse_target(request.target, request.arguments)
            return PlannedLoader(_plan_for(target, examiner, request.measures, watcher))
        if request.measures or request.arguments:
            raise UsageError("--measure and --arg need a TARGET, as in torchdoctor loader train.py:MyDataset")
        return PlannedLoader(make_plan(examiner.examine(PLAN_FACTS, watcher).facts))


def _plan_for(target: Target, examiner: Examiner, measures: bool, watcher: Watcher) -> LoaderPlan:
    facts = examiner.examine(set(PLAN_FACTS) - {TorchImportTrial}, watcher).facts
    stages = _Stages(watcher)
    trial = try_dataset(examiner.python.executable, target, stages.enter)
    stages.leave()
    if isinstance(trial, Absent):
        raise UsageError(trial.reason)
    facts = facts.with_values({DatasetTrial: trial})
    if trial.worker is None:
        # The memory of a worker was not measured, so the plan uses that of a process that imports torch.
        facts = facts.with_values(examiner.examine({TorchImportTrial}, watcher).facts.values)
    plan = make_plan(facts)
    if not measures or trial.failure is not None:
        return plan
    limit = find_safe_workers(facts, plan.bounds)
    measured = measure_dataset(examiner.python.executable, target, trial, limit, stages.enter)
    stages.leave()
    if isinstance(measured, Absent):
        return plan
    return make_plan(facts.with_values({DatasetTrial: _add_measurements(trial, measured)}))


def parse_target(text: str, arguments: Iterable[str]) -> Target:
    """Parse a target, such as package.module:name or train.py:name.

    Raises:
        UsageError: the text has no module or no name, or the file does not exist.
    """
    place, colon, name = text.rpartition(":")
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"{text} is not a target; write package.module:name or path/to/file.py:name")
    if place.endswith(".py"):
        if not os.path.isfile(place):
            raise UsageError(f"{place}: no such file")
    elif not all(part.isidentifier() for part in place.split(".")):
        raise UsageError(f"{place} is neither a module nor a .py file")
    return Target(text, tuple(arguments))


def _add_measurements(trial: DatasetTrial, measured: DatasetTrial) -> DatasetTrial:
    """Return the trial with the measurements of another one, and the failure that ended them."""
    return replace(
        trial,
        failure=measured.failure,
        measurements=measured.measurements,
        measured_length=measured.measured_length,
        stopped=measured.stopped,
    )


class _Stages:
    """The current stage of a trial; the watcher is called when a stage starts and ends."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._current: str | None = None

    def enter(self, stage: str) -> None:
        self.leave()
        self._current = stage
        self._watcher(stage, True)

    def leave(self) -> None:
        if self._current is not None:
            self._watcher(self._current, False)
            self._current = None
