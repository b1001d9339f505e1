"""Finds out whether the workers of an iterable dataset share its samples or repeat them."""

from __future__ import annotations

import itertools
import pickle
import random
import sys
import time

from ..pickling import copy_as_sent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The number of samples of each of two workers that are compared, and the time limit for reading them.
COMPARED_SAMPLES = 16
MAX_SECONDS = 3.0


class WorkerInfo:
    """Stand-in for torch's WorkerInfo that records whether the dataset reads which worker it is in."""

    def __init__(self, number: int, dataset: object) -> None:
        self._number, self.dataset, self.seed = number, dataset, 0
        self.is_read = False

    @property
    def id(self) -> int:
        """The number of this worker."""
        self.is_read = True
        return self._number

    @property
    def num_workers(self) -> int:
        """The number of workers."""
        self.is_read = True
        return 2


def shares_samples(dataset: object) -> bool | None:
    """Return whether two workers would yield different samples, or None if that cannot be found out."""
    try:
        (first, reads_worker_info), (second, _) = read_as_worker(dataset, 0), read_as_worker(dataset, 1)
    except Exception:
        return None
    if not reads_worker_info:
        return False
    if len(set(first)) < 2 and first == second:
        # All samples are equal, as in generated test data: nothing can be concluded.
        return None
    return first != second


def read_as_worker(dataset: object, number: int) -> tuple[list[bytes], bool]:
    """Return the first samples of one of two workers, pickled, and whether it read its WorkerInfo."""
    from torch.utils.data._utils import worker

    copy: Any = copy_as_sent(dataset)
    info = WorkerInfo(number, copy)
    seed_generators()
    samples, start_time = [], time.perf_counter()
    previous, worker._worker_info = worker._worker_info, info  # type: ignore[assignment]
    try:
        for sample in itertools.islice(iter(copy), COMPARED_SAMPLES):
            samples.append(pickle.dumps(sample))
            if time.perf_counter() - start_time > MAX_SECONDS:
                break
    finally:
        worker._worker_info = previous
    return samples, info.is_read


def seed_generators() -> None:
    """Seed every generator, so that two workers can differ only in the samples they choose."""
    random.seed(0)
    sys.modules["torch"].manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
