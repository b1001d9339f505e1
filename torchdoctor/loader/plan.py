"""The loader plan: DataLoader settings that are safe on the examined machine, each with its reason."""

from collections.abc import Iterator
from dataclasses import dataclass

from torchdoctor.commit import RESERVED_SHARE, find_commit_room_bytes, find_worker_bytes
from torchdoctor.facts import (
    Absent,
    DllClosure,
    Facts,
    Interpreter,
    Memory,
    OperatingSystem,
    Processor,
    TorchImportTrial,
    TorchInstall,
)
from torchdoctor.sizes import GIB, describe_bytes

# A 32-bit process has 2 GiB of addresses; a process that holds torch and a batch fills them.
ADDRESS_SPACE_32BIT_BYTES = 2 * GIB

PREFETCH_FACTOR = 2
TIMEOUT_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Bound:
    """An upper bound for the number of workers, where it comes from, and why."""

    name: str
    workers: int
    reason: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A DataLoader argument: its name, its value as Python source, and the reason."""

    name: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class LoaderPlan:
    """The suggested configuration: settings, the bounds that were known, and what was not."""

    num_workers: int
    settings: tuple[Setting, ...]
    bounds: tuple[Bound, ...]
    unknown: tuple[str, ...]

    @property
    def snippet(self) -> str:
        """The plan as a Python program with a main guard, ready to be pasted."""
        arguments = "\n".join(f"        {s.name}={s.value}," for s in self.settings if s.name != "generator")
        return (
            "import torch\n"
            "from torch.utils.data import DataLoader\n"
            "\n"
            "\n"
            "def make_loader(dataset, batch_size=32, seed=0):\n"
            "    generator = torch.Generator()\n"
            "    generator.manual_seed(seed)\n"
            "    return DataLoader(\n"
            "        dataset,\n"
            "        batch_size=batch_size,\n"
            "        shuffle=True,\n"
            "        generator=generator,\n"
            f"{arguments}\n"
            "    )\n"
            "\n"
            "\n"
            'if __name__ == "__main__":\n'
            "    # Build the dataset and start training here, not at the top level of the file.\n"
            "    ...\n"
        )


def make_plan(facts: Facts, unguarded: tuple[str, ...] = ()) -> LoaderPlan:
    """Derive the plan from facts; `unguarded` are scripts that start workers without a main guard."""
    unknown: list[str] = []
    bounds = tuple(sorted(_find_bounds(facts, unguarded, unknown), key=lambda bound: bound.workers))
    workers = bounds[0].workers if bounds else 0
    reason = bounds[0].reason if bounds else "nothing that bounds it could be observed; 0 always works"
    if _is_windows(facts) and workers and not any(bound.name in ("commit", "memory") for bound in bounds):
        workers, reason = 0, "what a worker costs could not be observed; 0 always works"
    return LoaderPlan(workers, tuple(_find_settings(facts, workers, reason)), bounds, tuple(unknown))


def _is_windows(facts: Facts) -> bool:
    system = facts.get(OperatingSystem)
    return isinstance(system, OperatingSystem) and system.system == "windows"


def _find_bounds(facts: Facts, unguarded: tuple[str, ...], unknown: list[str]) -> Iterator[Bound]:
    if unguarded:
        yield Bound("main guard", 0, f"{unguarded[0]} starts workers without a main guard")
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
    yield from _find_memory_bounds(facts, unknown)


def _find_memory_bounds(facts: Facts, unknown: list[str]) -> Iterator[Bound]:
    memory = facts.get(Memory)
    worker = find_worker_bytes(facts.get(TorchImportTrial), facts.get(DllClosure))
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


def _find_settings(facts: Facts, workers: int, reason: str) -> Iterator[Setting]:
    yield Setting("num_workers", str(workers), reason)
    if workers:
        yield Setting(
            "persistent_workers", "True", f"workers are started once, not each epoch{_start_up(facts)}"
        )
        yield Setting(
            "prefetch_factor",
            str(PREFETCH_FACTOR),
            "batches that wait in shared memory count as commit; torch's default",
        )
        yield Setting(
            "timeout",
            str(TIMEOUT_SECONDS),
            "a worker that hangs ends in an error instead of a silent wait (seconds)",
        )
    torch = facts.get(TorchInstall)
    has_cuda = isinstance(torch, TorchInstall) and torch.cuda is not None
    pin_reason = (
        f"CUDA {torch.cuda} build: copies to the GPU overlap"
        if isinstance(torch, TorchInstall) and has_cuda
        else "no CUDA in this build, so nothing to pin for"
    )
    yield Setting("pin_memory", str(has_cuda), pin_reason)
    yield Setting("generator", "generator", "shuffling and the workers' seeds repeat from one seed")


def _start_up(facts: Facts) -> str:
    trial = facts.get(TorchImportTrial)
    if isinstance(trial, Absent) or trial.outcome != "imported":
        return ""
    return f" (importing torch took {trial.seconds:.1f} s)"
