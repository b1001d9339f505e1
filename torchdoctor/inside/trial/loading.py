"""Run DataLoaders with spawned workers, and measure them."""

from __future__ import annotations

import itertools
import random
import time

from ..memory import read_private_bytes
from . import PREFETCH_FACTOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Measured = dict[str, Any]

# A loader runs until its speed has been steady so long, over so many rounds of batches, or for this long.
STEADY_SECONDS = 2.0
MAX_SECONDS = 10.0
STEADY_ROUNDS = 3
# Batches that are laid out; a loader that gets through them within STEADY_SECONDS is fast enough to judge.
MAX_BATCHES = 4000
# An epoch at most this share of the best one makes another number of workers worth trying.
WORTHWHILE = 0.93


class LoadPlan:
    """What is loaded: the objects, and the batches of one epoch."""

    def __init__(self, source: Any, batch_size: int | None, length: int | None) -> None:
        """Take a DataLoader or a dataset; `length` is in samples."""
        self.loader = source if _is_loader(source) else None
        self.dataset = source.dataset if self.loader is not None else source
        self.length = length
        # The collate_fn of a dataset, None for torch's own.
        self.collate: Callable[[Any], Any] | None = None
        # The indices of each batch, where they were laid out, and the number of batches that came.
        self.batch_indices: Sequence[Any] = ()
        self.seen = 0
        self.batch_size = batch_size
        if self.loader is not None:
            self.batch_size = self.loader.batch_size
            if self.batch_size is None and self.loader.batch_sampler is not None:
                self.batch_size = getattr(self.loader.batch_sampler, "batch_size", None)

    @property
    def samples_per_batch(self) -> int:
        """Samples in a batch, 1 without automatic batching."""
        return self.batch_size or 1

    @property
    def batches(self) -> int | None:
        """Batches in an epoch, None where the dataset has no length."""
        return None if self.length is None else -(-self.length // self.samples_per_batch)

    def make_loader(self, workers: int, timeout: int) -> Any:
        """Make a DataLoader with the batches of this plan."""
        from torch.utils.data import DataLoader

        options: dict[str, Any] = {"num_workers": workers, "collate_fn": self.collate}
        if self.loader is not None:
            options.update(collate_fn=self.loader.collate_fn, worker_init_fn=self.loader.worker_init_fn)
        if workers:
            options.update(multiprocessing_context="spawn", timeout=timeout)
        options.update(self._choose_batches())
        self.batch_indices, self.seen = options.get("batch_sampler", ()), 0
        return DataLoader(self.dataset, **options)

    def _choose_batches(self) -> dict[str, Any]:
        from torch.utils.data import IterableDataset

        if isinstance(self.dataset, IterableDataset):
            return {"batch_size": self.batch_size}
        if self.loader is None:
            return {"batch_sampler": self._lay_out()}
        if self.loader.batch_sampler is not None:
            return {"batch_sampler": list(itertools.islice(iter(self.loader.batch_sampler), MAX_BATCHES))}
        return {"batch_size": None, "sampler": list(itertools.islice(iter(self.loader.sampler), MAX_BATCHES))}

    def find_next_indices(self) -> Sequence[Any]:
        """Return the indices of the batch that would have come next."""
        indices: Sequence[Any] = self.batch_indices[self.seen] if self.seen < len(self.batch_indices) else ()
        return indices

    def _lay_out(self) -> list[list[int]]:
        # A shuffled epoch reads everywhere: a part of it has to do the same.
        length = self.length or 0
        count = min(length, MAX_BATCHES * self.samples_per_batch)
        indices = random.Random(0).sample(range(length), count)
        return [indices[i : i + self.samples_per_batch] for i in range(0, count, self.samples_per_batch)]


def _is_loader(value: object) -> bool:
    from torch.utils.data import DataLoader

    return isinstance(value, DataLoader)


class WorkerEnded(Exception):
    """A worker ended by itself; `exit_code` is None where it could not be read."""

    def __init__(self, message: str, exit_code: int | None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def run(plan: LoadPlan, workers: int, timeout: int, max_seconds: float = MAX_SECONDS) -> Measured:
    """Load with so many workers until the speed is known or the epoch is over.

    Raises:
        WorkerEnded: a worker ended by itself.
    """
    started = time.perf_counter()
    iterator = None
    try:
        iterator = iter(plan.make_loader(workers, timeout))
        return _watch(iterator, plan, workers, started, max_seconds)
    except RuntimeError as error:
        ended = _find_ended_worker(iterator, error)
        if ended is None:
            raise
        raise ended from error
    finally:
        if iterator is not None and workers:
            iterator._shutdown_workers()


def _watch(
    iterator: Iterator[Any], plan: LoadPlan, workers: int, started: float, max_seconds: float
) -> Measured:
    arrivals: list[float] = []
    private = None
    # The first batches come from workers that started at different times, and from what they prefetched.
    warm_up = max(1, PREFETCH_FACTOR * workers)
    is_over = True
    for _ in iterator:
        arrivals.append(time.perf_counter() - started)
        plan.seen = len(arrivals)
        if len(arrivals) == warm_up or len(arrivals) == 1:
            private = _read_private_bytes(iterator, private)
        if _is_known(arrivals, warm_up, max_seconds):
            is_over = False
            break
    if not arrivals:
        raise ValueError("the loader gave no batch")
    private = _read_private_bytes(iterator, private)
    return _summarise(plan, workers, arrivals, warm_up, is_over, private)


def _is_known(arrivals: Sequence[float], warm_up: int, max_seconds: float) -> bool:
    """Return whether enough batches came to tell the speed, or enough time passed."""
    steady = arrivals[-1] - arrivals[min(warm_up, len(arrivals)) - 1]
    if len(arrivals) >= (1 + STEADY_ROUNDS) * warm_up and steady >= STEADY_SECONDS:
        return True
    return arrivals[-1] - arrivals[0] >= max_seconds and len(arrivals) > 1


def _summarise(
    plan: LoadPlan, workers: int, arrivals: Sequence[float], warm_up: int, is_over: bool, private: int | None
) -> Measured:
    seen = len(arrivals)
    base = min(warm_up, max(1, seen // 2))
    per_batch = (arrivals[-1] - arrivals[base - 1]) / (seen - base) if seen > base else arrivals[-1]
    per_batch = max(per_batch, 1e-9)
    # A single batch does not say how much of its time was start-up: nearly all of it.
    later = per_batch * max(1, workers) if seen > base else 0.0
    batches = plan.batches or seen
    epoch = arrivals[-1] + max(0, batches - seen) * per_batch
    samples = plan.length or seen * plan.samples_per_batch
    return {
        "workers": workers,
        "start_up_seconds": max(0.0, arrivals[0] - later) if workers else 0.0,
        "epoch_seconds": epoch,
        "samples_per_second": samples / max(epoch, 1e-9),
        "steady_samples_per_second": plan.samples_per_batch / per_batch,
        "samples": seen * plan.samples_per_batch,
        "is_steady": seen > base,
        "projected": not is_over or seen < batches,
        "private_bytes": private,
    }


def _read_private_bytes(iterator: Iterator[Any], before: int | None) -> int | None:
    sizes = [read_private_bytes(worker.pid) for worker in getattr(iterator, "_workers", ()) if worker.pid]
    return max([size for size in (*sizes, before) if size], default=None)


def _find_ended_worker(iterator: Iterator[Any] | None, error: RuntimeError) -> WorkerEnded | None:
    """Find the exit code of a worker that ended, None where the error says something else."""
    text = str(error)
    if "exited unexpectedly" not in text and "is killed by signal" not in text:
        return None
    for worker in getattr(iterator, "_workers", ()):
        worker.join(2)
        if worker.exitcode:
            return WorkerEnded(text, worker.exitcode)
    return WorkerEnded(text, None)


def search(
    limit: int, measure: Callable[[int], Measured], start_up_seconds: float | None
) -> tuple[list[Measured], str | None]:
    """Try worker counts up to a limit; return the measurements, and why it stopped before the limit.

    `measure` runs one count. Doubling finds the region, and a second look between its neighbours the
    number; a count that cannot win even with perfect scaling is not tried.
    """
    done = {0: measure(0)}
    if not limit:
        return list(done.values()), "only 0 workers are safe"
    if start_up_seconds is not None and start_up_seconds >= WORTHWHILE * done[0]["epoch_seconds"]:
        return list(done.values()), "one worker takes longer to start than an epoch takes without"
    stopped = _climb(limit, measure, done)
    for count in _find_between(done, limit):
        best = min(item["epoch_seconds"] for item in done.values())
        nearest = max((item for item in done.values() if 0 < item["workers"] < count), key=_read_workers)
        if _find_shortest_epoch(nearest, count) < WORTHWHILE * best:
            done[count] = measure(count)
    return list(done.values()), stopped


def _climb(limit: int, measure: Callable[[int], Measured], done: dict[int, Measured]) -> str | None:
    count, before = 1, None
    while True:
        done[count] = measure(count)
        best = min(item["epoch_seconds"] for item in done.values())
        if count == limit:
            return None
        # Against the last count, not the best: a long start makes 2 workers slower than none, and 4 faster.
        if before is not None and done[count]["epoch_seconds"] > WORTHWHILE * before:
            return None
        before = done[count]["epoch_seconds"]
        # With perfect scaling up to the limit.
        if _find_shortest_epoch(done[count], limit) >= WORTHWHILE * best:
            return f"more workers than {count} cannot be faster"
        count = min(2 * count, limit)


def _read_workers(item: Measured) -> int:
    return int(item["workers"])


def _find_shortest_epoch(measured: Measured, count: int) -> float:
    """Return the seconds of an epoch if a count scaled perfectly from a measured one."""
    start: float = measured["start_up_seconds"]
    work: float = measured["epoch_seconds"] - start
    workers: int = measured["workers"]
    return start + work * workers / count


def _find_between(done: dict[int, Measured], limit: int) -> list[int]:
    """Return the counts between the best one and those tried beside it."""
    tried = sorted(done)
    best = min(done.values(), key=lambda item: item["epoch_seconds"])["workers"]
    at = tried.index(best)
    above = tried[at + 1] if at + 1 < len(tried) else best
    below = tried[at - 1] if at else best
    middles = {(best + above) // 2, (below + best + 1) // 2}
    return sorted(count for count in middles if 0 < count <= limit and count not in done)
