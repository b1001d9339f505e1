"""Loads the batches of the requested number of workers with fewer worker processes, or with none.

A worker process has its own random state, seeded with base seed + worker number, and batch k comes from
worker k modulo num_workers. Each requested worker is therefore kept as a set of random states, which is
active while one of its batches is made. The random state of the program is not changed, as with processes.
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

_DatasetKind: Any = dataloader._DatasetKind
_NO_INDEX = object()
# The original function: in a host process, Host replaces the one of the class.
_create_fetcher = _DatasetKind.create_fetcher


def make_iterator(loader: Any, processes: int) -> Any:
    """Return an iterator over the loader's batches that uses this number of worker processes."""
    return _InProcess(loader) if processes == 0 else _start_hosts(loader, processes)


class _Worker:
    """A worker that has no process of its own."""

    def __init__(
        self, number: int, count: int, base_seed: int, dataset: Any, fetcher_arguments: tuple[Any, ...]
    ) -> None:
        self.number = number
        self.fetcher: Any = None
        self._fetcher_arguments = fetcher_arguments
        self._info = _utils.worker.WorkerInfo(
            id=number, num_workers=count, seed=base_seed + number, dataset=dataset
        )
        self._states = _read_states()
        with self.activate():
            random.seed(base_seed + number)
            torch.default_generator.manual_seed(base_seed + number)
            if numpy is not None:
                state = _utils.worker._generate_state(base_seed, number)  # type: ignore[no-untyped-call]
                numpy.random.seed(state)

    def use_one_thread(self) -> None:
        """Make torch use one thread while this worker is active, as in a worker process."""
        self._states = (*self._states[:3], 1)

    def start(self, init: Callable[[int], object] | None = None) -> None:
        """Run worker_init_fn, if there is one, and begin an epoch."""
        with self.activate():
            if init is not None:
                init(self.number)
            kind, *rest = self._fetcher_arguments
            self.fetcher = _create_fetcher(kind, self._info.dataset, *rest)

    def fetch(self, index: Any) -> Any:
        """Return the batch of an index."""
        with self.activate():
            return self.fetcher.fetch(index)

    @contextlib.contextmanager
    def activate(self) -> Iterator[None]:
        """Return a context in which this worker's random states replace the program's."""
        program_states, program_info = _read_states(), _utils.worker._worker_info
        _write_states(self._states)
        _utils.worker._worker_info = self._info
        try:
            yield
        finally:
            self._states = _read_states()
            _utils.worker._worker_info = program_info
            _write_states(program_states)


def _read_states() -> tuple[Any, Any, Any, int]:
    """Return the random states of Python, torch and NumPy, and the number of torch's threads."""
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
    """Iterator that makes the batches of all workers in this process, in turn."""

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        # The sampler runs ahead as far as with processes, because it may use the random state of the program.
        self._prefetched_indices = (loader.prefetch_factor or 2) * self._num_workers
        init = loader.worker_init_fn
        fetcher_arguments = (self._dataset_kind, self._auto_collation, self._collate_fn, self._drop_last)
        self._workers = []
        for number in range(self._num_workers):
            # worker_init_fn may set attributes of its worker's dataset: each worker has a copy.
            dataset = _copy(self._dataset) if init is not None else self._dataset
            worker = _Worker(number, self._num_workers, int(self._base_seed), dataset, fetcher_arguments)
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
        for _ in range(self._prefetched_indices):
            self._draw_index()

    def _draw_index(self) -> None:
        index = next(self._sampler_iter, _NO_INDEX)
        if index is not _NO_INDEX:
            self._indices.append(index)

    def _next_data(self) -> Any:
        while self._turns and self._indices:
            index, worker = self._indices.popleft(), self._turns[0]
            self._draw_index()
            try:
                data = worker.fetch(index)
            except StopIteration:
                if self._dataset_kind != _DatasetKind.Iterable:
                    raise
                # This worker has no samples left; the others go on.
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
    """Return an iterator with this number of worker processes, each of which hosts several workers."""
    host = Host(loader.worker_init_fn, loader.num_workers, processes)
    return dataloader._MultiProcessingDataLoaderIter(_View(loader, processes, host))


class _View:
    """A loader with another number of workers; the loader itself may watch what is written to it."""

    def __init__(self, loader: Any, num_workers: int, worker_init_fn: Host) -> None:
        self._viewed_loader = loader
        self.num_workers = num_workers
        self.worker_init_fn = worker_init_fn

    def __getattr__(self, name: str) -> Any:
        return getattr(self._viewed_loader, name)


class Host:
    """The worker_init_fn that makes a worker process host several workers."""

    def __init__(self, init: Callable[[int], object] | None, requested: int, processes: int) -> None:
        """Take the loader's own worker_init_fn, its number of workers and the number of processes."""
        self._init = init
        self._requested = requested
        self._processes = processes

    def __call__(self, number: int) -> None:
        """Set up the workers of this process, before its first batch."""
        info: Any = _utils.worker._worker_info
        base_seed = info.seed - number
        numbers = range(number, self._requested, self._processes)
        datasets = [info.dataset if k == number else _copy(info.dataset) for k in numbers]
        workers: list[_Worker] = []

        def create_fetcher(kind: Any, dataset: object, *rest: Any) -> _FetcherInTurn:
            if not workers:
                for k, own_dataset in zip(numbers, datasets):
                    workers.append(_Worker(k, self._requested, base_seed, own_dataset, (kind, *rest)))
                    workers[-1].start(self._init)
            else:
                for worker in workers:
                    worker.start()
            return _FetcherInTurn(workers)

        _DatasetKind.create_fetcher = staticmethod(create_fetcher)


class _FetcherInTurn:
    """Fetcher that takes each batch from the next worker in turn."""

    def __init__(self, workers: list[_Worker]) -> None:
        self._workers = deque(workers)

    def fetch(self, index: Any) -> Any:
        worker = self._workers[0]
        self._workers.rotate(-1)
        return worker.fetch(index)
