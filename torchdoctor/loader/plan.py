"""The loader plan: DataLoader settings that are safe on the examined machine, each with its reason."""

from collections.abc import Iterator

from torchdoctor.check import Bound
from torchdoctor.core.record import record
from torchdoctor.domain.commit import find_commit_room_bytes, find_free_memory_bytes, find_worker_bytes
from torchdoctor.domain.sizes import GIB, describe_bytes
from torchdoctor.facts import (
    Absent,
    DatasetTrial,
    DllClosure,
    Facts,
    Interpreter,
    Measurement,
    Memory,
    OperatingSystem,
    Processor,
    TorchImportTrial,
    TorchInstall,
)
from torchdoctor.inside.trial import PREFETCH_FACTOR
from torchdoctor.loader.snippet import write_snippet
from torchdoctor.loader.trial import describe_seconds, find_trial_bounds

# The facts that the plan and the head of a report are made from.
PLAN_FACTS = (
    OperatingSystem, Processor, Memory, Interpreter, TorchInstall, TorchImportTrial, DllClosure,
)  # fmt: skip

# A 32-bit process has 2 GiB of address space; torch and one batch fill it.
ADDRESS_SPACE_32BIT_BYTES = 2 * GIB

TIMEOUT_SECONDS = 300

# Bounds that say what is useful, not what is safe: more workers than these may be measured.
_ADVISORY = frozenset({"cores", "start-up"})
# Loading that waits for a disk or a network gains from more workers than cores, up to a point.
_MAX_MEASURED_WORKERS_PER_CORE = 2
_MAX_MEASURED_WORKERS = 16


@record
class LoaderSetting:
    """A DataLoader argument: its name, its value as Python source, and the reason."""

    name: str
    value: str
    reason: str


@record
class LoaderPlan:
    """The suggested settings, the known bounds of the number of workers, and the bounds that are unknown."""

    num_workers: int
    settings: tuple[LoaderSetting, ...]
    bounds: tuple[Bound, ...]
    unknown: tuple[str, ...]

    trial: DatasetTrial | None = None

    @property
    def snippet(self) -> str:
        """The plan as a Python program with a main guard, ready to paste."""
        return write_snippet([(setting.name, setting.value) for setting in self.settings], self.trial)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The measured worker counts, in the order in which they were tried."""
        return self.trial.measurements if self.trial else ()


def make_plan(facts: Facts, more_bounds: tuple[Bound, ...] = ()) -> LoaderPlan:
    """Make the plan from facts; `more_bounds` are the bounds that findings set."""
    unknown: list[str] = []
    bounds = tuple(sorted((*more_bounds, *_find_bounds(facts, unknown)), key=lambda bound: bound.workers))
    workers = bounds[0].workers if bounds else 0
    reason = bounds[0].reason if bounds else "nothing that bounds it could be observed; 0 always works"
    if _is_cost_unknown(facts, bounds) and workers:
        workers, reason = 0, "the memory that a worker needs could not be observed; 0 always works"
    dataset_trial = facts.get(DatasetTrial)
    trial = None if isinstance(dataset_trial, Absent) else dataset_trial
    fastest = _find_fastest(trial, find_safe_workers(facts, bounds)) if trial else None
    if trial is not None and fastest is not None:
        workers, reason = fastest.workers, _describe_choice(fastest, trial)
        # A measurement replaces advice, so the plan has no more workers than any of its bounds.
        bounds = tuple(bound for bound in bounds if bound.name not in _ADVISORY)
    return LoaderPlan(
        workers, tuple(_find_settings(facts, workers, reason, trial)), bounds, tuple(unknown), trial
    )


def find_safe_workers(facts: Facts, bounds: tuple[Bound, ...]) -> int:
    """Return the largest number of workers that is safe to try; bounds that are only advice are ignored."""
    processor = facts.get(Processor)
    cores = 1 if isinstance(processor, Absent) else processor.logical_cores
    safe = [bound.workers for bound in bounds if bound.name not in _ADVISORY]
    if _is_cost_unknown(facts, bounds):
        safe.append(0)
    return min([*safe, cores * _MAX_MEASURED_WORKERS_PER_CORE, _MAX_MEASURED_WORKERS])


def _is_cost_unknown(facts: Facts, bounds: tuple[Bound, ...]) -> bool:
    """Return whether, on Windows, nothing says how much commit or memory a worker takes."""
    return _is_windows(facts) and not any(bound.name in ("commit", "memory") for bound in bounds)


def _find_fastest(trial: DatasetTrial, limit: int) -> Measurement | None:
    safe = [measurement for measurement in trial.measurements if measurement.workers <= limit]
    return min(safe, key=lambda measurement: (measurement.epoch_seconds, measurement.workers), default=None)


def _describe_choice(fastest: Measurement, trial: DatasetTrial) -> str:
    if len(trial.measurements) == 1 and trial.stopped:
        return f"{trial.stopped} ({describe_seconds(fastest.epoch_seconds)})"
    samples = "a run" if trial.measured_length is None else f"an epoch of {trial.measured_length:,} samples"
    return (
        f"the fastest of {len(trial.measurements)} that were measured: {samples} takes "
        f"{describe_seconds(fastest.epoch_seconds)}, start-up included"
    )


def _is_windows(facts: Facts) -> bool:
    system = facts.get(OperatingSystem)
    return isinstance(system, OperatingSystem) and system.system == "windows"


def _find_bounds(facts: Facts, unknown: list[str]) -> Iterator[Bound]:
    """Yield the bounds that follow from facts; append what is missing for the others to `unknown`."""
    processor = facts.get(Processor)
    if isinstance(processor, Absent):
        unknown.append(f"cores: {processor.reason}")
        yield Bound("cores", 0, "the number of cores is not known; 0 always works")
    elif isinstance(processor.physical_cores, Absent):
        cores = max(1, processor.logical_cores // 2)
        yield Bound(
            "cores",
            cores,
            f"half of {processor.logical_cores} logical cores; {processor.physical_cores.reason}",
        )
    else:
        yield Bound("cores", processor.physical_cores, f"{processor.physical_cores} physical cores")
    interpreter = facts.get(Interpreter)
    if isinstance(interpreter, Interpreter) and interpreter.bits == 32:
        size = describe_bytes(ADDRESS_SPACE_32BIT_BYTES)
        yield Bound("addresses", 0, f"a 32-bit process has {size} of address space")
    trial = facts.get(DatasetTrial)
    if isinstance(trial, DatasetTrial):
        yield from find_trial_bounds(trial)
        if isinstance(trial.length, Absent) and trial.failure is None:
            unknown.append(f"start-up: {trial.length.reason}")
    yield from _find_memory_bounds(facts, unknown)


def _find_memory_bounds(facts: Facts, unknown: list[str]) -> Iterator[Bound]:
    memory = facts.get(Memory)
    worker = _find_worker_bytes(facts)
    if isinstance(memory, Absent) or isinstance(worker, Absent):
        unknown.extend(f"memory: {fact.reason}" for fact in (memory, worker) if isinstance(fact, Absent))
        return
    cost, source = worker
    need = f"{describe_bytes(cost)} a process ({source})"
    room = find_commit_room_bytes(memory)
    if isinstance(room, Absent):
        unknown.append(f"commit: {room.reason}")
    else:
        # The training process itself needs as much as a worker does.
        reason = f"{describe_bytes(room)} of commit to spare, {need}"
        yield Bound("commit", max(0, room // cost - 1), reason)
    free = find_free_memory_bytes(memory)
    yield Bound("memory", max(0, free // cost - 1), f"{describe_bytes(free)} of memory to spare, {need}")


def _find_worker_bytes(facts: Facts) -> tuple[int, str] | Absent:
    """Return the bytes that a worker takes and their source: of the tried dataset, else of torch alone."""
    trial = facts.get(DatasetTrial)
    torch_bytes = find_worker_bytes(facts.get(TorchImportTrial), facts.get(DllClosure))
    if isinstance(trial, Absent):
        return torch_bytes
    batch_bytes = 0 if isinstance(trial.batch_bytes, Absent) else trial.batch_bytes
    waiting_bytes = PREFETCH_FACTOR * batch_bytes
    private_bytes = trial.worker.private_bytes if trial.worker else Absent("no worker was tried")
    if not isinstance(private_bytes, Absent):
        return (
            private_bytes + waiting_bytes,
            "measured in a worker of this dataset, with the batches that wait",
        )
    if isinstance(torch_bytes, Absent):
        return torch_bytes
    size, source = torch_bytes
    return size + trial.pickled_bytes + waiting_bytes, f"{source}, with its copy of the dataset"


def _find_settings(
    facts: Facts, workers: int, reason: str, trial: DatasetTrial | None
) -> Iterator[LoaderSetting]:
    yield LoaderSetting("num_workers", str(workers), reason)
    if workers:
        yield LoaderSetting(
            "persistent_workers",
            "True",
            f"workers are started once, not each epoch{_describe_start_up(facts, trial)}",
        )
        yield LoaderSetting(
            "prefetch_factor",
            str(PREFETCH_FACTOR),
            "batches that wait in shared memory count as commit; torch's default",
        )
        yield LoaderSetting(
            "timeout",
            str(_find_timeout_seconds(trial)),
            "a worker that hangs ends in an error instead of a silent wait (seconds)",
        )
    yield _make_pinning_setting(facts, trial)
    yield LoaderSetting("generator", "generator", "shuffling and the workers' seeds repeat from one seed")


def _find_timeout_seconds(trial: DatasetTrial | None) -> int:
    """Return a time that no healthy batch reaches: ten times the first one, start-up included."""
    if trial is None or trial.worker is None:
        return TIMEOUT_SECONDS
    sample = 0.0 if isinstance(trial.sample_seconds, Absent) else trial.sample_seconds
    first = trial.worker.start_up_seconds + sample * (trial.batch_size or 1)
    return max(TIMEOUT_SECONDS, round(10 * first))


def _make_pinning_setting(facts: Facts, trial: DatasetTrial | None) -> LoaderSetting:
    torch = facts.get(TorchInstall)
    if trial is not None and trial.sample_on_device:
        return LoaderSetting(
            "pin_memory", "False", "samples are on the GPU already, and only CPU memory is pinned"
        )
    if isinstance(torch, TorchInstall) and torch.cuda is not None:
        return LoaderSetting("pin_memory", "True", f"CUDA {torch.cuda} build: copies to the GPU overlap")
    return LoaderSetting("pin_memory", "False", "no CUDA in this build, so nothing to pin for")


def _describe_start_up(facts: Facts, trial: DatasetTrial | None) -> str:
    """Return how long the start of a worker took, in parentheses; empty where that is not known."""
    if trial is not None and trial.worker is not None:
        return f" (starting one took {describe_seconds(trial.worker.start_up_seconds)})"
    imported = facts.get(TorchImportTrial)
    if isinstance(imported, Absent) or imported.outcome != "imported" or not imported.seconds:
        return ""
    return f" (importing torch took {imported.seconds:.1f} s)"
