"""The loader plan: DataLoader settings that are safe on the examined machine, each with its reason."""

from collections.abc import Iterator

from torchdoctor.check import Bound
from torchdoctor.core.record import record
from torchdoctor.domain.commit import RESERVED_SHARE, find_commit_room_bytes, find_worker_bytes
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

# What the plan is made of, and the head of a report.
PLAN_FACTS = (
    OperatingSystem, Processor, Memory, Interpreter, TorchInstall, TorchImportTrial, DllClosure,
)  # fmt: skip

# A 32-bit process has 2 GiB of addresses; a process that holds torch and a batch fills them.
ADDRESS_SPACE_32BIT_BYTES = 2 * GIB

TIMEOUT_SECONDS = 300

# Bounds that say what is worth while, not what is safe: a measurement may go beyond them.
_ADVISORY = frozenset({"cores", "start-up"})
# Loading that waits for a disk or network gains from more workers than there are cores, up to a point.
_MEASURED_PER_CORE = 2
_MOST_MEASURED = 16


@record
class LoaderSetting:
    """A DataLoader argument: its name, its value as Python source, and the reason."""

    name: str
    value: str
    reason: str


@record
class LoaderPlan:
    """The suggested configuration: settings, the bounds that were known, and what was not."""

    num_workers: int
    settings: tuple[LoaderSetting, ...]
    bounds: tuple[Bound, ...]
    unknown: tuple[str, ...]

    trial: DatasetTrial | None = None

    @property
    def snippet(self) -> str:
        """The plan as a Python program with a main guard, ready to be pasted."""
        return write_snippet([(setting.name, setting.value) for setting in self.settings], self.trial)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The worker counts that were measured, in the order in which they were tried."""
        return self.trial.measurements if self.trial else ()


def make_plan(facts: Facts, more_bounds: tuple[Bound, ...] = ()) -> LoaderPlan:
    """Derive the plan from facts; `more_bounds` are those that checks found."""
    unknown: list[str] = []
    bounds = tuple(sorted((*more_bounds, *_find_bounds(facts, unknown)), key=lambda bound: bound.workers))
    workers = bounds[0].workers if bounds else 0
    reason = bounds[0].reason if bounds else "nothing that bounds it could be observed; 0 always works"
    if _lacks_cost(facts, bounds) and workers:
        workers, reason = 0, "what a worker costs could not be observed; 0 always works"
    found = facts.get(DatasetTrial)
    trial = None if isinstance(found, Absent) else found
    fastest = _find_fastest(trial, find_safe_workers(facts, bounds)) if trial else None
    if trial is not None and fastest is not None:
        workers, reason = fastest.workers, _describe_choice(fastest, trial)
    return LoaderPlan(
        workers, tuple(_find_settings(facts, workers, reason, trial)), bounds, tuple(unknown), trial
    )


def find_safe_workers(facts: Facts, bounds: tuple[Bound, ...]) -> int:
    """Give the most workers that may be tried here: what is safe binds, what is only advice does not."""
    processor = facts.get(Processor)
    cores = 1 if isinstance(processor, Absent) else processor.logical_cores
    safe = [bound.workers for bound in bounds if bound.name not in _ADVISORY]
    if _lacks_cost(facts, bounds):
        safe.append(0)
    return min([*safe, cores * _MEASURED_PER_CORE, _MOST_MEASURED])


def _lacks_cost(facts: Facts, bounds: tuple[Bound, ...]) -> bool:
    return _is_windows(facts) and not any(bound.name in ("commit", "memory") for bound in bounds)


def _find_fastest(trial: DatasetTrial, limit: int) -> Measurement | None:
    safe = [measured for measured in trial.measurements if measured.workers <= limit]
    return min(safe, key=lambda measured: (measured.epoch_seconds, measured.workers), default=None)


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
        yield Bound("addresses", 0, f"a 32-bit process has {size} of addresses")
    trial = facts.get(DatasetTrial)
    if isinstance(trial, DatasetTrial):
        yield from find_trial_bounds(trial, is_windows=_is_windows(facts))
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
    free = max(0, int(memory.physical_available_bytes - memory.physical_bytes * RESERVED_SHARE))
    yield Bound("memory", max(0, free // cost - 1), f"{describe_bytes(free)} of memory to spare, {need}")


def _find_worker_bytes(facts: Facts) -> tuple[int, str] | Absent:
    """Give what one worker takes: of the dataset at hand where it was tried, else of torch alone."""
    trial = facts.get(DatasetTrial)
    known = find_worker_bytes(facts.get(TorchImportTrial), facts.get(DllClosure))
    if isinstance(trial, Absent):
        return known
    batch = 0 if isinstance(trial.batch_bytes, Absent) else trial.batch_bytes
    waiting = PREFETCH_FACTOR * batch
    private = trial.worker.private_bytes if trial.worker else Absent("no worker was tried")
    if not isinstance(private, Absent):
        return private + waiting, "measured in a worker of this dataset, with the batches that wait"
    if isinstance(known, Absent):
        return known
    return known[0] + trial.pickled_bytes + waiting, f"{known[1]}, with its copy of the dataset"


def _find_settings(
    facts: Facts, workers: int, reason: str, trial: DatasetTrial | None
) -> Iterator[LoaderSetting]:
    yield LoaderSetting("num_workers", str(workers), reason)
    if workers:
        yield LoaderSetting(
            "persistent_workers",
            "True",
            f"workers are started once, not each epoch{_start_up(facts, trial)}",
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
    yield _find_pinning(facts, trial)
    yield LoaderSetting("generator", "generator", "shuffling and the workers' seeds repeat from one seed")


def _find_timeout_seconds(trial: DatasetTrial | None) -> int:
    """Give a time that no healthy batch takes: ten times the first one, start-up included."""
    if trial is None or trial.worker is None:
        return TIMEOUT_SECONDS
    sample = 0.0 if isinstance(trial.sample_seconds, Absent) else trial.sample_seconds
    first = trial.worker.start_up_seconds + sample * (trial.batch_size or 1)
    return max(TIMEOUT_SECONDS, round(10 * first))


def _find_pinning(facts: Facts, trial: DatasetTrial | None) -> LoaderSetting:
    torch = facts.get(TorchInstall)
    if trial is not None and trial.sample_on_device:
        return LoaderSetting(
            "pin_memory", "False", "samples are on the GPU already, and only CPU memory is pinned"
        )
    if isinstance(torch, TorchInstall) and torch.cuda is not None:
        return LoaderSetting("pin_memory", "True", f"CUDA {torch.cuda} build: copies to the GPU overlap")
    return LoaderSetting("pin_memory", "False", "no CUDA in this build, so nothing to pin for")


def _start_up(facts: Facts, trial: DatasetTrial | None) -> str:
    if trial is not None and trial.worker is not None:
        return f" (starting one took {describe_seconds(trial.worker.start_up_seconds)})"
    imported = facts.get(TorchImportTrial)
    if isinstance(imported, Absent) or imported.outcome != "imported":
        return ""
    return f" (importing torch took {imported.seconds:.1f} s)"
