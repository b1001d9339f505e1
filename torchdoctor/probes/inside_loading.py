"""Runs in the examined interpreter: runs DataLoaders with spawned workers, and measures them.

Standard library only, Python 3.8 syntax; torch is the user's.
"""

import itertools
import random
import time

from torchdoctor.probes.inside import read_private_bytes

# The steady state of a loader is watched until so many batches of each worker came, or so long.
STEADY_SECONDS = 2.0
MOST_SECONDS = 10.0
STEADY_ROUNDS = 3
# Batches that are laid out; a loader that gets through them within STEADY_SECONDS is fast enough to judge.
LAID_OUT = 4000
PREFETCH = 2
# Trying another number of workers has to promise so much.
WORTHWHILE = 0.93


class Plan:
    """What is loaded: the objects, and the batches of one epoch."""

    def __init__(self, source, batch_size, length, collate):
        """Take a DataLoader or a dataset; `collate` is a dataset's collate_fn where not torch's."""
        self.loader = source if _is_loader(source) else None
        self.dataset = source.dataset if self.loader is not None else source
        self.length, self.collate = length, collate
        # The indices of each batch, where they were laid out, and the number of batches that came.
        self.laid_out, self.seen = [], 0
        self.batch_size = batch_size
        if self.loader is not None:
            self.batch_size = self.loader.batch_size
            if self.batch_size is None and self.loader.batch_sampler is not None:
                self.batch_size = getattr(self.loader.batch_sampler, "batch_size", None)

    @property
    def samples_a_batch(self):
        """Samples in a batch, 1 without automatic batching."""
        return self.batch_size or 1

    @property
    def batches(self):
        """Batches in an epoch, None where the dataset has no length."""
        return None if self.length is None else -(-self.length // self.samples_a_batch)

    def make_loader(self, workers, timeout):
        """Make a DataLoader with the batches of this plan."""
        from torch.utils.data import DataLoader, IterableDataset  # noqa: TID251 (this child may)

        given = self.loader
        options = {"num_workers": workers, "collate_fn": self.collate}
        if given is not None:
            options.update(collate_fn=given.collate_fn, worker_init_fn=given.worker_init_fn)
        if workers:
            options.update(multiprocessing_context="spawn", timeout=timeout)
        if isinstance(self.dataset, IterableDataset):
            options["batch_size"] = self.batch_size
        elif given is not None and given.batch_sampler is not None:
            options["batch_sampler"] = list(itertools.islice(iter(given.batch_sampler), LAID_OUT))
        elif given is not None:
            options.update(batch_size=None, sampler=list(itertools.islice(iter(given.sampler), LAID_OUT)))
        else:
            options["batch_sampler"] = self._lay_out()
        self.laid_out, self.seen = options.get("batch_sampler", ()), 0
        return DataLoader(self.dataset, **options)

    def find_next_indices(self):
        """Give the indices of the batch that would have come next."""
        return self.laid_out[self.seen] if self.seen < len(self.laid_out) else ()

    def _lay_out(self):
        # A shuffled epoch reads everywhere: a part of it has to do the same.
        count = min(self.length, LAID_OUT * self.samples_a_batch)
        indices = random.Random(0).sample(range(self.length), count)
        return [indices[i : i + self.samples_a_batch] for i in range(0, count, self.samples_a_batch)]


def _is_loader(value):
    from torch.utils.data import DataLoader  # noqa: TID251 (this child may)

    return isinstance(value, DataLoader)


class WorkerEnded(Exception):
    """A worker ended by itself; `exit_code` is None where it was not to be had."""

    def __init__(self, message, exit_code):
        super().__init__(message)
        self.exit_code = exit_code


def run(plan, workers, timeout, most_seconds=MOST_SECONDS):
    """Load with so many workers until the speed is known or the epoch is over."""
    started = time.perf_counter()
    iterator = None
    try:
        iterator = iter(plan.make_loader(workers, timeout))
        return _watch(iterator, plan, workers, started, most_seconds)
    except RuntimeError as error:
        ended = _find_ended_worker(iterator, error)
        if ended is None:
            raise
        raise ended from error
    finally:
        if iterator is not None and workers:
            iterator._shutdown_workers()


def _watch(iterator, plan, workers, started, most_seconds):
    arrivals = []
    private = None
    # The first batches come from workers that started at different times, and from what they prefetched.
    warm_up = max(1, PREFETCH * workers)
    is_over = False
    while True:
        try:
            next(iterator)
        except StopIteration:
            is_over = True
            break
        arrivals.append(time.perf_counter() - started)
        plan.seen = len(arrivals)
        if len(arrivals) == warm_up or len(arrivals) == 1:
            private = _read_private_bytes(iterator, private)
        steady = arrivals[-1] - arrivals[min(warm_up, len(arrivals)) - 1]
        if len(arrivals) >= (1 + STEADY_ROUNDS) * warm_up and steady >= STEADY_SECONDS:
            break
        if arrivals[-1] - arrivals[0] >= most_seconds and len(arrivals) > 1:
            break
    if not arrivals:
        raise ValueError("the loader gave no batch")
    private = _read_private_bytes(iterator, private)
    return _summarise(plan, workers, arrivals, warm_up, is_over, private)


def _summarise(plan, workers, arrivals, warm_up, is_over, private):
    seen = len(arrivals)
    base = min(warm_up, max(1, seen // 2))
    per_batch = (arrivals[-1] - arrivals[base - 1]) / (seen - base) if seen > base else arrivals[-1]
    per_batch = max(per_batch, 1e-9)
    # One batch alone does not tell what of its time was start-up: nearly all of it.
    later = per_batch * max(1, workers) if seen > base else 0.0
    batches = plan.batches or seen
    epoch = arrivals[-1] + max(0, batches - seen) * per_batch
    samples = plan.length or seen * plan.samples_a_batch
    return {
        "workers": workers,
        "start_up_seconds": max(0.0, arrivals[0] - later) if workers else 0.0,
        "epoch_seconds": epoch,
        "samples_per_second": samples / max(epoch, 1e-9),
        "steady_samples_per_second": plan.samples_a_batch / per_batch,
        "samples": seen * plan.samples_a_batch,
        "is_steady": seen > base,
        "projected": not is_over or seen < batches,
        "private_bytes": private,
    }


def _read_private_bytes(iterator, before):
    sizes = [read_private_bytes(worker.pid) for worker in getattr(iterator, "_workers", ()) if worker.pid]
    known = [size for size in sizes if size]
    return max(known + ([before] if before else []), default=None)


def _find_ended_worker(iterator, error):
    """Give the exit code of a worker that ended, None where the error tells of something else."""
    text = str(error)
    if "exited unexpectedly" not in text and "is killed by signal" not in text:
        return None
    for worker in getattr(iterator, "_workers", ()):
        worker.join(2)
        if worker.exitcode:
            return WorkerEnded(text, worker.exitcode)
    return WorkerEnded(text, None)


def search(limit, measure, start_up_seconds):
    """Try worker counts up to a limit; give the measurements, and why it stopped.

    `measure` runs one count and gives its measurement as data. Doubling finds the region, a second look
    between its neighbours the number; what cannot win even with perfect scaling is not tried.
    """
    done = {0: measure(0)}
    if not limit:
        return list(done.values()), "only 0 workers are safe"
    if start_up_seconds is not None and start_up_seconds >= WORTHWHILE * done[0]["epoch_seconds"]:
        return list(done.values()), "one worker takes longer to start than an epoch takes without"
    stopped = _climb(limit, measure, done)
    for count in _find_between(done, limit):
        best = min(item["epoch_seconds"] for item in done.values())
        nearest = max((item for item in done.values() if 0 < item["workers"] < count), key=_workers)
        if _promise(nearest, count) < WORTHWHILE * best:
            done[count] = measure(count)
    return list(done.values()), stopped


def _climb(limit, measure, done):
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
        following = min(2 * count, limit)
        # With perfect scaling up to the limit.
        if _promise(done[count], limit) >= WORTHWHILE * best:
            return "more workers than %d cannot be faster" % count
        count = following


def _workers(item):
    return item["workers"]


def _promise(measured, count):
    """Give the shortest epoch that a count could have, were it to scale perfectly from a measured one."""
    start = measured["start_up_seconds"]
    return start + (measured["epoch_seconds"] - start) * measured["workers"] / count


def _find_between(done, limit):
    """Give the counts between the best one and those tried beside it, the larger gap's middle first."""
    tried = sorted(done)
    best = min(done.values(), key=lambda item: item["epoch_seconds"])["workers"]
    at = tried.index(best)
    above = tried[at + 1] if at + 1 < len(tried) else best
    below = tried[at - 1] if at else best
    middles = {(best + above) // 2, (below + best + 1) // 2}
    return sorted(count for count in middles if 0 < count <= limit and count not in done)
