"""Fewer worker processes, or none, that give the very batches which the asked number would give.

A worker process has its own random numbers, seeded with base seed + worker number, and batch k comes from
worker k modulo num_workers. So each worker that was asked for lives on as a set of random states, swapped
in while a batch of its own is made; the program's own random numbers are not touched, as with processes.
"""

import contextlib
import copy
import random
from collections import deque

import torch
from torch.utils.data import _utils, dataloader

try:
    import numpy
except ImportError:
    numpy = None

_Kind = dataloader._DatasetKind
_NOTHING = object()
# The original: in a host process the class has another one.
_create_fetcher = _Kind.create_fetcher


def make_iterator(loader, processes):
    """Give an iterator over the loader's batches with this number of worker processes."""
    return _InProcess(loader) if processes == 0 else _start_hosts(loader, processes)


class _Worker:
    """A worker that is not a process of its own."""

    def __init__(self, number, count, base_seed, dataset, parts):
        self.number = number
        self.fetcher = None
        self._parts = parts
        self._info = _utils.worker.WorkerInfo(
            id=number, num_workers=count, seed=base_seed + number, dataset=dataset
        )
        self._states = _read_states()
        with self.at_work():
            random.seed(base_seed + number)
            torch.default_generator.manual_seed(base_seed + number)
            if numpy is not None:
                numpy.random.seed(_utils.worker._generate_state(base_seed, number))

    def start(self, init=None):
        """Run worker_init_fn, where there is one, and begin a pass over the dataset."""
        with self.at_work():
            if init is not None:
                init(self.number)
            self.fetcher = _create_fetcher(self._parts[0], self._info.dataset, *self._parts[1:])

    def fetch(self, index):
        """Make a batch."""
        with self.at_work():
            return self.fetcher.fetch(index)

    @contextlib.contextmanager
    def at_work(self):
        """Swap this worker's random states in, and the program's back."""
        outside, info = _read_states(), _utils.worker._worker_info
        _write_states(self._states)
        _utils.worker._worker_info = self._info
        try:
            yield
        finally:
            self._states = _read_states()
            _utils.worker._worker_info = info
            _write_states(outside)


def _read_states():
    return (
        random.getstate(),
        torch.default_generator.get_state(),
        numpy.random.get_state() if numpy is not None else None,
        torch.get_num_threads(),
    )


def _write_states(states):
    random.setstate(states[0])
    torch.default_generator.set_state(states[1])
    if numpy is not None:
        numpy.random.set_state(states[2])
    if torch.get_num_threads() != states[3]:
        torch.set_num_threads(states[3])


class _InProcess(dataloader._BaseDataLoaderIter):
    """All workers in this process, in turn."""

    def __init__(self, loader):
        super().__init__(loader)
        # The sampler runs ahead exactly as far as with processes: it may draw random numbers of the program.
        self._ahead = (loader.prefetch_factor or 2) * self._num_workers
        init = loader.worker_init_fn
        parts = (self._dataset_kind, self._auto_collation, self._collate_fn, self._drop_last)
        self._workers = []
        for number in range(self._num_workers):
            # worker_init_fn may set attributes of its worker's dataset, of which each has a copy.
            dataset = _copy(self._dataset) if init is not None else self._dataset
            worker = _Worker(number, self._num_workers, self._base_seed, dataset, parts)
            worker._states = (*worker._states[:3], 1)
            worker.start(init)
            self._workers.append(worker)
        self._reset(loader, first_iter=True)

    def _reset(self, loader, first_iter=False):
        super()._reset(loader, first_iter)
        if not first_iter:
            for worker in self._workers:
                worker.start()
        self._turns = deque(self._workers)
        self._indices = deque()
        for _ in range(self._ahead):
            self._draw_index()

    def _draw_index(self):
        index = next(self._sampler_iter, _NOTHING)
        if index is not _NOTHING:
            self._indices.append(index)

    def _next_data(self):
        while self._turns and self._indices:
            index, worker = self._indices.popleft(), self._turns[0]
            self._draw_index()
            try:
                data = worker.fetch(index)
            except StopIteration:
                if self._dataset_kind != _Kind.Iterable:
                    raise
                # This worker's share of the stream has ended; the others go on.
                self._turns.popleft()
                continue
            except Exception:
                self._turns.rotate(-1)
                raise
            self._turns.rotate(-1)
            if self._pin_memory:
                data = _utils.pin_memory.pin_memory(data, self._pin_memory_device)
            return data
        raise StopIteration


def _copy(dataset):
    try:
        return copy.copy(dataset)
    except Exception:
        return dataset


def _start_hosts(loader, processes):
    """Start fewer processes, each of which is the host of several workers."""
    asked, init = loader.num_workers, loader.worker_init_fn
    loader.num_workers, loader.worker_init_fn = processes, Host(init, asked, processes)
    try:
        return dataloader._MultiProcessingDataLoaderIter(loader)
    finally:
        loader.num_workers, loader.worker_init_fn = asked, init


class Host:
    """Turns a worker process into the host of several workers; it is sent there as worker_init_fn."""

    def __init__(self, init, asked, processes):
        self._init = init
        self._asked = asked
        self._processes = processes

    def __call__(self, number):
        """Run in the process, before the first batch."""
        info = _utils.worker._worker_info
        base_seed = info.seed - number
        numbers = range(number, self._asked, self._processes)
        datasets = [info.dataset if k == number else _copy(info.dataset) for k in numbers]
        workers = []

        def create(kind, dataset, *parts):
            if not workers:
                for k, own in zip(numbers, datasets):
                    workers.append(_Worker(k, self._asked, base_seed, own, (kind, *parts)))
                    workers[-1].start(self._init)
            else:
                for worker in workers:
                    worker.start()
            return _InTurn(workers)

        _Kind.create_fetcher = staticmethod(create)


class _InTurn:
    def __init__(self, workers):
        self._workers = deque(workers)

    def fetch(self, index):
        worker = self._workers[0]
        self._workers.rotate(-1)
        return worker.fetch(index)
