"""Runs in the examined interpreter: finds out whether an iterable dataset shares its samples out to workers.

Standard library only, Python 3.8 syntax; torch is the user's.
"""

import itertools
import pickle
import random
import sys
import time

from torchdoctor.probes.inside_spawning import copy_as_sent

# Samples of each of two workers that are compared, and how long they may take to come.
COMPARED = 16
MOST_SECONDS = 3.0


class Info:
    """Stands for torch's WorkerInfo, and remembers whether it was asked which worker this is."""

    def __init__(self, number, dataset):
        self._number, self.dataset, self.seed = number, dataset, 0
        self.is_asked = False

    @property
    def id(self):
        """Give the number of the worker."""
        self.is_asked = True
        return self._number

    @property
    def num_workers(self):
        """Give the number of workers."""
        self.is_asked = True
        return 2


def shares_out(dataset):
    """Tell whether two workers would give different samples, None where that could not be found out."""
    try:
        (first, asked), (second, _) = read_as_worker(dataset, 0), read_as_worker(dataset, 1)
    except Exception:
        return None
    if not asked:
        return False
    if len(set(first)) < 2 and first == second:
        # All alike, as made-up data is: they tell nothing.
        return None
    return first != second


def read_as_worker(dataset, number):
    """Give the first samples of one of two workers, pickled, and whether it asked which one it is."""
    from torch.utils.data._utils import worker  # noqa: TID251 (this child may)

    copy = copy_as_sent(dataset)
    info = Info(number, copy)
    seed_alike()
    samples, started = [], time.perf_counter()
    previous, worker._worker_info = worker._worker_info, info
    try:
        for sample in itertools.islice(iter(copy), COMPARED):
            samples.append(pickle.dumps(sample))
            if time.perf_counter() - started > MOST_SECONDS:
                break
    finally:
        worker._worker_info = previous
    return samples, info.is_asked


def seed_alike():
    """Let random augmentation be the same for both: only the choice of samples shall differ."""
    random.seed(0)
    sys.modules["torch"].manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
