"""Describe what a DataLoader does on this machine."""

import multiprocessing
from collections.abc import Iterator
from typing import Any

from torch.utils.data import DataLoader, IterableDataset  # noqa: TID251 (for programs that have it)

from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.inside import memory, pickling
from torchdoctor.loader.create import recommended_num_workers
from torchdoctor.loader.seeding import SeededDataset


def describe(loader: DataLoader[Any]) -> str:
    """Return a description of what a DataLoader does on this machine, one fact per line.

    The first lines name problems, if there are any: a dataset or collate_fn that cannot be sent to a
    worker, then more workers than `recommended_num_workers` returns. The other lines name the settings:
    dataset, batch size, order, workers, batches that are loaded ahead, the memory of this process (a
    worker that imports as much needs as much) and pinned memory. No sample is loaded, no worker started.
    """
    return "\n".join((*_describe_problems(loader), *_describe_settings(loader)))


def _describe_problems(loader: DataLoader[Any]) -> Iterator[str]:
    if loader.num_workers == 0:
        return
    if _find_start_method(loader) != "fork":
        _, obstacle = pickling.try_pickling({"dataset": loader.dataset, "collate_fn": loader.collate_fn})
        if obstacle:
            yield f"will fail: {obstacle}"
    recommended = recommended_num_workers()
    if loader.num_workers > recommended:
        yield f"too many workers for this machine: {loader.num_workers}, {recommended} recommended"


def _describe_settings(loader: DataLoader[Any]) -> Iterator[str]:
    dataset = loader.dataset
    is_seeded = isinstance(dataset, SeededDataset)
    inner = dataset.dataset if isinstance(dataset, SeededDataset) else dataset
    kind = "iterable" if isinstance(inner, IterableDataset) else "map-style"
    yield f"dataset: {type(inner).__qualname__}, {kind}" + (", seeded for each sample" if is_seeded else "")
    yield f"batch size: {getattr(loader.batch_sampler, 'batch_size', loader.batch_size)}"
    yield f"order: {type(getattr(loader.sampler, 'sampler', loader.sampler)).__name__}"
    if loader.num_workers == 0:
        yield "workers: none, batches are made in this process"
    else:
        stay = "stay between epochs" if loader.persistent_workers else "are started for each epoch"
        yield f"workers: {loader.num_workers}, {_find_start_method(loader)}, {stay}"
        yield f"batches ahead: {(loader.prefetch_factor or 2) * loader.num_workers}"
        private_bytes = memory.read_private_bytes()
        if private_bytes is not None:
            size = describe_bytes(private_bytes)
            yield f"memory: {size} in this process; a worker that imports the same modules needs as much"
    yield f"pinned memory: {'yes' if loader.pin_memory else 'no'}"


def _find_start_method(loader: DataLoader[Any]) -> str:
    context = loader.multiprocessing_context
    return str(context.get_start_method() if context is not None else multiprocessing.get_start_method())
