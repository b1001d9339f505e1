"""What `loader` does: facts, a trial of the dataset, measurements, and the plan that comes of them."""

from collections.abc import Callable
from dataclasses import replace

from torchdoctor import commands
from torchdoctor.facts import Absent, DatasetTrial, Facts, TorchImportTrial
from torchdoctor.loader.plan import LoaderPlan, find_safe_workers, make_plan
from torchdoctor.record import record
from torchdoctor.usage import UsageError

Watcher = Callable[[str, bool], None]


@record
class LoaderRequest:
    """What `loader` was asked to do."""

    target: str | None = None
    arguments: tuple[str, ...] = ()
    python: str | None = None
    measures: bool = False


def plan_loader(request: LoaderRequest, watcher: Watcher) -> LoaderPlan:
    """Observe the machine, try the dataset where one is named, and make the plan.

    Raises:
        UsageError: the target or the interpreter is not usable.
    """
    from torchdoctor.probes.active import find_active_python
    from torchdoctor.probes.dataset import measure_dataset, try_dataset
    from torchdoctor.probes.target import parse_target

    if request.target is None:
        if request.measures or request.arguments:
            raise UsageError("--measure and --arg need a TARGET, as in torchdoctor loader train.py:MyDataset")
        return make_plan(_observe(request, set(commands.PLAN_FACTS), watcher))
    target = parse_target(request.target, request.arguments)
    facts = _observe(request, set(commands.PLAN_FACTS) - {TorchImportTrial}, watcher)
    python = request.python or find_active_python()
    progress = _Stages(watcher)
    trial = try_dataset(python, target, progress.enter)
    progress.leave()
    if isinstance(trial, Absent):
        raise UsageError(trial.reason)
    facts = facts.with_values({DatasetTrial: trial})
    if trial.worker is None:
        # Nothing was measured in a worker: what one costs is what importing torch does.
        facts = facts.with_values(_observe(request, {TorchImportTrial}, watcher).values)
    plan = make_plan(facts)
    if request.measures and trial.failure is None:
        limit = find_safe_workers(facts, plan.bounds)
        measured = measure_dataset(python, target, trial, limit, progress.enter)
        if isinstance(measured, DatasetTrial):
            plan = make_plan(facts.with_values({DatasetTrial: _join(trial, measured)}))
    progress.leave()
    return plan


def _observe(request: LoaderRequest, wanted: set[type], watcher: Watcher) -> Facts:
    return commands.observe(request.python, wanted, trials=True, watcher=watcher)[0]


def _join(trial: DatasetTrial, measured: DatasetTrial) -> DatasetTrial:
    return replace(
        trial,
        failure=measured.failure,
        measurements=measured.measurements,
        measured_length=measured.measured_length,
        stopped=measured.stopped,
    )


class _Stages:
    """Shows the stages of a trial one after the other."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._shown: str | None = None

    def enter(self, stage: str) -> None:
        self.leave()
        self._shown = stage
        self._watcher(stage, True)

    def leave(self) -> None:
        if self._shown is not None:
            self._watcher(self._shown, False)
            self._shown = None


def find_exit_code(plan: LoaderPlan) -> int:
    """Give 1 where the dataset cannot be loaded with workers, or at all, else 0."""
    trial = plan.trial
    if trial is None:
        return 0
    blocked = (trial.unpicklable, trial.on_device, trial.sample_on_device, trial.sample_unpicklable)
    return 1 if trial.failure or any(blocked) else 0
