"""Runs DataLoaders with spawned workers, and measures their speed and memory."""

from __future__ import annotations

import itertools
import random
import time

from ..answers import read_message
from ..memory import read_private_bytes
from . import PREFETCH_FACTOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    # A JSON object; its keys are those that _summarise writes.
    Measurement = dict[str, Any]

# A loader runs until its speed has been measured for STEADY_SECONDS and STEADY_ROUNDS after the warm-up, or
# until MAX_SECONDS after the first batch. A round is one prefetch of every worker.
STEADY_SECONDS = 2.0
MAX_SECONDS = 10.0
STEADY_ROUNDS = 3
# The maximum number of batches whose indices are chosen; a loader that needs less than STEADY_SECONDS for
# them is fast enough to be judged by them.
MAX_BATCHES = 4000
# Another number of workers is tried only if its epoch can be shorter than this share of the shortest epoch.
WORTHWHILE = 0.93


class LoadPlan:
    """The objects that are loaded from, and the batches of one epoch."""

    def __init__(self, source: Any, batch_size: int | None, length: int | None) -> None:
        """Take a DataLoader or a dataset, and its length in samples."""
        self.loader = source if _is_loader(source) else None
        self.dataset = source.dataset if self.loader is not None else source
        self.length = length
        # The collate_fn for a dataset without a loader, None for torch's default.
        self.collate: Callable[[Any], Any] | None = None
        # The indices of each batch if they were chosen before the run, and the number of batches received.
        self.batch_indices: Sequence[Any] = ()
        self.batches_received = 0
        self.batch_size = batch_size
        if self.loader is not None:
            self.batch_size = self.loader.batch_size
            if self.batch_size is None and self.loader.batch_sampler is not None:
                self.batch_size = getattr(self.loader.batch_sampler, "batch_size", None)

    @property
    def samples_per_batch(self) -> int:
        """The number of samples in a batch, 1 without automatic batching."""
        return self.batch_size or 1

    @property
    def batches(self) -> int | None:
        """The number of batches in an epoch, or None if the dataset has no length."""
        return None if self.length is None else -(-self.length // self.samples_per_batch)

    def make_loader(self, workers: int, timeout: int) -> Any:
        """Return a new DataLoader for the batches of this plan."""
        from torch.utils.data import DataLoader

        options: dict[str, Any] = {"num_workers": workers, "collate_fn": self.collate}
        if self.loader is not None:
            options.update(collate_fn=self.loader.collate_fn, worker_init_fn=self.loader.worker_init_fn)
        if workers:
            options.update(multiprocessing_context="spawn", timeout=timeout)
        options.update(self._make_batch_options())
        self.batch_indices, self.batches_received = options.get("batch_sampler", ()), 0
        return DataLoader(self.dataset, **options)

    def _make_batch_options(self) -> dict[str, Any]:
        from torch.utils.data import IterableDataset

        if isinstance(self.dataset, IterableDataset):
            return {"batch_size": self.batch_size}
        if self.loader is None:
            return {"batch_sampler": self._choose_batches()}
        if self.loader.batch_sampler is not None:
            return {"batch_sampler": list(itertools.islice(iter(self.loader.batch_sampler), MAX_BATCHES))}
        return {"batch_size": None, "sampler": list(itertools.islice(iter(self.loader.sampler), MAX_BATCHES))}

    def find_next_indices(self) -> Sequence[Any]:
        """Return the indices of the batch after the last one received."""
        if self.batches_received >= len(self.batch_indices):
            return ()
        indices: Sequence[Any] = self.batch_indices[self.batches_received]
        return indices

    def _choose_batches(self) -> list[list[int]]:
        # A shuffled epoch reads from the whole dataset, so a part of it must do so too.
        length = self.length or 0
        count = min(length, MAX_BATCHES * self.samples_per_batch)
        indices = random.Random(0).sample(range(length), count)
        return [indices[i : i + self.samples_per_batch] for i in range(0, count, self.samples_per_batch)]


def _is_loader(value: object) -> bool:
    from torch.utils.data import DataLoader

    return isinstance(value, DataLoader)


class WorkerEnded(Exception):
    """A worker process ended by itself; `exit_code` is None if it could not be read."""

    def __init__(self, message: str, exit_code: int | None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def run(plan: LoadPlan, workers: int, timeout: int, max_seconds: float = MAX_SECONDS) -> Measurement:
    """Load with a number of workers until the speed is known or the epoch is over.

    Raises:
        WorkerEnded: a worker process ended by itself.
    """
    start_time = time.perf_counter()
    iterator = None
    try:
        iterator = iter(plan.make_loader(workers, timeout))
        return _time_batches(iterator, plan, workers, start_time, max_seconds)
    except RuntimeError as error:
        worker_error = _find_worker_error(iterator, error)
        if worker_error is None:
            raise
        raise worker_error from error
    finally:
        if iterator is not None and workers:
            iterator._shutdown_workers()


def _time_batches(
    iterator: Iterator[Any], plan: LoadPlan, workers: int, start_time: float, max_seconds: float
) -> Measurement:
    # Seconds after the start.
    arrivals: list[float] = []
    private_bytes = None
    # The speed is not steady at first: the workers start at different times, and prefetch.
    warm_up = max(1, PREFETCH_FACTOR * workers)
    is_epoch_over = True
    for _ in iterator:
        arrivals.append(time.perf_counter() - start_time)
        plan.batches_received = len(arrivals)
        if len(arrivals) == warm_up or len(arrivals) == 1:
            private_bytes = _read_max_private_bytes(iterator, private_bytes)
        if _is_speed_known(arrivals, warm_up, max_seconds):
            is_epoch_over = False
            break
    if not arrivals:
        raise ValueError("the loader gave no batch")
    private_bytes = _read_max_private_bytes(iterator, private_bytes)
    return _summarise(plan, workers, arrivals, warm_up, is_epoch_over, private_bytes)


def _is_speed_known(arrivals: Sequence[float], warm_up: int, max_seconds: float) -> bool:
    """Return whether enough batches arrived to calculate the speed, or the time is up."""
    steady_seconds = arrivals[-1] - arrivals[min(warm_up, len(arrivals)) - 1]
    if len(arrivals) >= (1 + STEADY_ROUNDS) * warm_up and steady_seconds >= STEADY_SECONDS:
        return True
    return arrivals[-1] - arrivals[0] >= max_seconds and len(arrivals) > 1


def _summarise(
    plan: LoadPlan,
    workers: int,
    arrivals: Sequence[float],
    warm_up: int,
    is_epoch_over: bool,
    private_bytes: int | None,
) -> Measurement:
    received = len(arrivals)
    base = min(warm_up, max(1, received // 2))
    is_steady = received > base
    batch_seconds = (arrivals[-1] - arrivals[base - 1]) / (received - base) if is_steady else arrivals[-1]
    batch_seconds = max(batch_seconds, 1e-9)
    # All the time of a single batch counts as start-up, because nearly all of it is.
    first_batch_seconds = batch_seconds * max(1, workers) if is_steady else 0.0
    batches = plan.batches or received
    epoch_seconds = arrivals[-1] + max(0, batches - received) * batch_seconds
    samples = plan.length or received * plan.samples_per_batch
    return {
        "workers": workers,
        "start_up_seconds": max(0.0, arrivals[0] - first_batch_seconds) if workers else 0.0,
        "epoch_seconds": epoch_seconds,
        "samples_per_second": samples / max(epoch_seconds, 1e-9),
        "steady_samples_per_second": plan.samples_per_batch / batch_seconds,
        "samples": received * plan.samples_per_batch,
        "is_steady": is_steady,
        "projected": not is_epoch_over or received < batches,
        "private_bytes": private_bytes,
    }


def _read_max_private_bytes(iterator: Iterator[Any], previous: int | None) -> int | None:
    """Return the private memory of the largest worker so far, or None if there is none."""
    sizes = [read_private_bytes(worker.pid) for worker in getattr(iterator, "_workers", ()) if worker.pid]
    return max([size for size in (*sizes, previous) if size], default=None)


def _find_worker_error(iterator: Iterator[Any] | None, error: RuntimeError) -> WorkerEnded | None:
    """Return an exception with the exit code of the ended worker, or None if the error has another cause."""
    text = read_message(error)
    if "exited unexpectedly" not in text and "is killed by signal" not in text:
        return None
    for worker in getattr(iterator, "_workers", ()):
        worker.join(2)
        if worker.exitcode:
            return WorkerEnded(text, worker.exitcode)
    return WorkerEnded(text, None)


def search(
    limit: int, measure: Callable[[int], Measurement], start_up_seconds: float | None
) -> tuple[list[Measurement], str | None]:
    """Try worker counts up to a limit; return the measurements, and why it stopped before the limit, or None.

    `measure` measures one count. Counts are doubled first; then those halfway between the best count and its
    neighbours are tried. A count that would not be better even with perfect scaling is skipped.
    """
    measurements = {0: measure(0)}
    if not limit:
        return list(measurements.values()), "only 0 workers are safe"
    if start_up_seconds is not None and start_up_seconds >= WORTHWHILE * measurements[0]["epoch_seconds"]:
        return list(measurements.values()), "one worker takes longer to start than an epoch takes without"
    stop_reason = _measure_doubled_counts(limit, measure, measurements)
    for count in _find_middle_counts(measurements, limit):
        shortest = _find_shortest_epoch(measurements)
        nearest = max(lower for lower in measurements if 0 < lower < count)
        if _project_epoch(measurements[nearest], count) < WORTHWHILE * shortest:
            measurements[count] = measure(count)
    return list(measurements.values()), stop_reason


def _measure_doubled_counts(
    limit: int, measure: Callable[[int], Measurement], measurements: dict[int, Measurement]
) -> str | None:
    """Measure 1, 2, 4, ... workers up to the limit, until the epoch is no longer clearly shorter.

    Return the reason if it stops earlier because higher counts cannot be faster, or None.
    """
    count, previous = 1, None
    while True:
        measurements[count] = measure(count)
        epoch_seconds = measurements[count]["epoch_seconds"]
        if count == limit:
            return None
        # Compared with the previous count, not the best: with a long start-up, 2 workers may be slower than
        # none, and 4 workers faster.
        if previous is not None and epoch_seconds > WORTHWHILE * previous:
            return None
        previous = epoch_seconds
        if _project_epoch(measurements[count], limit) >= WORTHWHILE * _find_shortest_epoch(measurements):
            return f"more workers than {count} cannot be faster"
        count = min(2 * count, limit)


def _find_shortest_epoch(measurements: dict[int, Measurement]) -> float:
    shortest: float = min(measurement["epoch_seconds"] for measurement in measurements.values())
    return shortest


def _project_epoch(measurement: Measurement, count: int) -> float:
    """Return the seconds of an epoch with another count of workers, if the work scales perfectly."""
    start_up: float = measurement["start_up_seconds"]
    work: float = measurement["epoch_seconds"] - start_up
    workers: int = measurement["workers"]
    return start_up + work * workers / count


def _find_middle_counts(measurements: dict[int, Measurement], limit: int) -> list[int]:
    """Return the counts halfway between the best count and the measured counts next to it."""
    counts = sorted(measurements)
    best = min(measurements, key=lambda count: measurements[count]["epoch_seconds"])
    position = counts.index(best)
    above = counts[position + 1] if position + 1 < len(counts) else best
    below = counts[position - 1] if position else best
    middles = {(best + above) // 2, (below + best + 1) // 2}
    return sorted(count for count in middles if 0 < count <= limit and count not in measurements)
