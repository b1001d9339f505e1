"""Whether the workers of an iterable dataset share its samples or repeat them."""

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

# The samples of each of two workers that are compared, and how long they may take.
COMPARED = 16
MAX_SECONDS = 3.0


class WorkerInfo:
    """Stands for torch's WorkerInfo, and remembers whether it was asked which worker this is."""

    def __init__(self, number: int, dataset: object) -> None:
        self._number, self.dataset, self.seed = number, dataset, 0
        self.is_asked = False

    @property
    def id(self) -> int:
        """The number of the worker."""
        self.is_asked = True
        return self._number

    @property
    def num_workers(self) -> int:
        """The number of workers."""
        self.is_asked = True
        return 2


def shares_samples(dataset: object) -> bool | None:
    """Return whether two workers would give different samples, None where that could not be found out."""
    try:
        (first, is_asked), (second, _) = read_as_worker(dataset, 0), read_as_worker(dataset, 1)
    except Exception:
        return None
    if not is_asked:
        return False
    if len(set(first)) < 2 and first == second:
        # All alike, as made-up data is: nothing can be concluded.
        return None
    return first != second


def read_as_worker(dataset: object, number: int) -> tuple[list[bytes], bool]:
    """Return the first samples of one of two workers, pickled, and whether it asked which one it is."""
    from torch.utils.data._utils import worker

    copy: Any = copy_as_sent(dataset)
    info = WorkerInfo(number, copy)
    seed_alike()
    samples, started = [], time.perf_counter()
    previous, worker._worker_info = worker._worker_info, info  # type: ignore[assignment]
    try:
        for sample in itertools.islice(iter(copy), COMPARED):
            samples.append(pickle.dumps(sample))
            if time.perf_counter() - started > MAX_SECONDS:
                break
    finally:
        worker._worker_info = previous
    return samples, info.is_asked


def seed_alike() -> None:
    """Seed every generator the same, so that only the choice of samples differs between two workers."""
    random.seed(0)
    sys.modules["torch"].manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
