"""Fewer worker processes, or none, that give the very batches that the given number would give.

A worker process has its own random numbers, seeded with base seed + worker number, and batch k comes from
worker k modulo num_workers. So each worker that was asked for lives on as a set of random states, swapped
in while a batch of its own is made; the program's own random numbers are not touched, as with processes.
"""

from __future__ import annotations

import contextlib
import copy
import random
from collections import deque

import torch
from torch.utils.data import _utils, dataloader

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment, unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_Kind: Any = dataloader._DatasetKind
_NOTHING = object()
# The original: in a host process the class has another one.
_create_fetcher = _Kind.create_fetcher


def make_iterator(loader: Any, processes: int) -> Any:
    """Return an iterator over the loader's batches with this number of worker processes."""
    return _InProcess(loader) if processes == 0 else _start_hosts(loader, processes)


class _Worker:
    """A worker that is not a process of its own."""

    def __init__(self, number: int, count: int, base_seed: int, dataset: Any, parts: tuple[Any, ...]) -> None:
        self.number = number
        self.fetcher: Any = None
        self._parts = parts
        self._info = _utils.worker.WorkerInfo(
            id=number, num_workers=count, seed=base_seed + number, dataset=dataset
        )
        self._states = _read_states()
        with self.at_work():
            random.seed(base_seed + number)
            torch.default_generator.manual_seed(base_seed + number)
            if numpy is not None:
                state = _utils.worker._generate_state(base_seed, number)  # type: ignore[no-untyped-call]
                numpy.random.seed(state)

    def use_one_thread(self) -> None:
        """Let torch use one thread while this worker makes a batch, as a worker process does."""
        self._states = (*self._states[:3], 1)

    def start(self, init: Callable[[int], object] | None = None) -> None:
        """Run worker_init_fn, where there is one, and begin a pass over the dataset."""
        with self.at_work():
            if init is not None:
                init(self.number)
            self.fetcher = _create_fetcher(self._parts[0], self._info.dataset, *self._parts[1:])

    def fetch(self, index: Any) -> Any:
        """Make a batch."""
        with self.at_work():
            return self.fetcher.fetch(index)

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
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


def _read_states() -> tuple[Any, Any, Any, int]:
    return (
        random.getstate(),
        torch.default_generator.get_state(),
        numpy.random.get_state() if numpy is not None else None,
        torch.get_num_threads(),
    )


def _write_states(states: tuple[Any, Any, Any, int]) -> None:
    random.setstate(states[0])
    torch.default_generator.set_state(states[1])
    if numpy is not None:
        numpy.random.set_state(states[2])
    if torch.get_num_threads() != states[3]:
        torch.set_num_threads(states[3])


class _InProcess(dataloader._BaseDataLoaderIter):
    """All workers in this process, in turn."""

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        # The sampler runs ahead exactly as far as with processes: it may draw random numbers of the program.
        self._ahead = (loader.prefetch_factor or 2) * self._num_workers
        init = loader.worker_init_fn
        parts = (self._dataset_kind, self._auto_collation, self._collate_fn, self._drop_last)
        self._workers = []
        for number in range(self._num_workers):
            # worker_init_fn may set attributes of its worker's dataset, of which each has a copy.
            dataset = _copy(self._dataset) if init is not None else self._dataset
            worker = _Worker(number, self._num_workers, int(self._base_seed), dataset, parts)
            worker.use_one_thread()
            worker.start(init)
            self._workers.append(worker)
        self._reset(loader, first_iter=True)

    def _reset(self, loader: Any, first_iter: bool = False) -> None:
        super()._reset(loader, first_iter)
        if not first_iter:
            for worker in self._workers:
                worker.start()
        self._turns = deque(self._workers)
        self._indices: deque[Any] = deque()
        for _ in range(self._ahead):
            self._draw_index()

    def _draw_index(self) -> None:
        index = next(self._sampler_iter, _NOTHING)
        if index is not _NOTHING:
            self._indices.append(index)

    def _next_data(self) -> Any:
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
                data = _utils.pin_memory.pin_memory(  # type: ignore[no-untyped-call]
                    data, self._pin_memory_device
                )
            return data
        raise StopIteration


def _copy(dataset: Any) -> Any:
    try:
        return copy.copy(dataset)
    except Exception:
        return dataset


def _start_hosts(loader: Any, processes: int) -> Any:
    """Start fewer processes, each of which is the host of several workers."""
    given, init = loader.num_workers, loader.worker_init_fn
    loader.num_workers, loader.worker_init_fn = processes, Host(init, given, processes)
    try:
        return dataloader._MultiProcessingDataLoaderIter(loader)
    finally:
        loader.num_workers, loader.worker_init_fn = given, init


class Host:
    """Turns a worker process into the host of several workers; it is sent there as worker_init_fn."""

    def __init__(self, init: Callable[[int], object] | None, given: int, processes: int) -> None:
        """Take the loader's own worker_init_fn, its number of workers, and that of the processes."""
        self._init = init
        self._given = given
        self._processes = processes

    def __call__(self, number: int) -> None:
        """Run in the process, before the first batch."""
        info: Any = _utils.worker._worker_info
        base_seed = info.seed - number
        numbers = range(number, self._given, self._processes)
        datasets = [info.dataset if k == number else _copy(info.dataset) for k in numbers]
        workers: list[_Worker] = []

        def create(kind: Any, dataset: object, *parts: Any) -> _InTurn:
            if not workers:
                for k, own in zip(numbers, datasets):
                    workers.append(_Worker(k, self._given, base_seed, own, (kind, *parts)))
                    workers[-1].start(self._init)
            else:
                for worker in workers:
                    worker.start()
            return _InTurn(workers)

        _Kind.create_fetcher = staticmethod(create)


class _InTurn:
    """Fetches each batch from the worker whose turn it is."""

    def __init__(self, workers: list[_Worker]) -> None:
        self._workers = deque(workers)

    def fetch(self, index: Any) -> Any:
        worker = self._workers[0]
        self._workers.rotate(-1)
        return worker.fetch(index)
