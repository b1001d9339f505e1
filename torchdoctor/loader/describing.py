"""Tells what a DataLoader will do on this machine."""

import multiprocessing
from collections.abc import Iterator
from typing import Any

from torch.utils.data import DataLoader, IterableDataset  # noqa: TID251 (for programs that have it)

from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.inside import memory, pickling
from torchdoctor.loader.create import recommended_num_workers
from torchdoctor.loader.seeding import SeededDataset


def describe(loader: DataLoader[Any]) -> str:
    """Tell what the loader does, one fact a line, worst first: what cannot work, then how it is set."""
    return "\n".join((*_find_troubles(loader), *_find_settings(loader)))


def _find_troubles(loader: DataLoader[Any]) -> Iterator[str]:
    if loader.num_workers == 0:
        return
    if _find_start_method(loader) != "fork":
        _, obstacle = pickling.try_pickling({"dataset": loader.dataset, "collate_fn": loader.collate_fn})
        if obstacle:
            yield f"will fail: {obstacle}"
    recommended = recommended_num_workers()
    if loader.num_workers > recommended:
        yield f"too much for this machine: {loader.num_workers} workers, {recommended} recommended"


def _find_settings(loader: DataLoader[Any]) -> Iterator[str]:
    dataset = loader.dataset
    seeded = isinstance(dataset, SeededDataset)
    inner = dataset.dataset if isinstance(dataset, SeededDataset) else dataset
    kind = "iterable" if isinstance(inner, IterableDataset) else "map-style"
    yield f"dataset: {type(inner).__qualname__}, {kind}" + (", seeded for each sample" if seeded else "")
    yield f"batch size: {getattr(loader.batch_sampler, 'batch_size', loader.batch_size)}"
    yield f"order: {type(getattr(loader.sampler, 'sampler', loader.sampler)).__name__}"
    if loader.num_workers == 0:
        yield "workers: none, batches are made in this process"
    else:
        stay = "stay between epochs" if loader.persistent_workers else "are started for each epoch"
        yield f"workers: {loader.num_workers}, {_find_start_method(loader)}, {stay}"
        yield f"batches ahead: {(loader.prefetch_factor or 2) * loader.num_workers}"
        held = memory.read_private_bytes()
        if held is not None:
            yield f"memory: {describe_bytes(held)} here; a worker that imports as much holds as much"
    yield f"pinned memory: {'yes' if loader.pin_memory else 'no'}"


def _find_start_method(loader: DataLoader[Any]) -> str:
    context = loader.multiprocessing_context
    return str(context.get_start_method() if context is not None else multiprocessing.get_start_method())
