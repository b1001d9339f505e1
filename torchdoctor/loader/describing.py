"""Describe what a DataLoader does on this machine."""

import multiprocessing
from collections.abc import Iterator
from typing import Any

from torch.utils.data import (  # noqa: TID251 (for programs that have it)
    BatchSampler,
    DataLoader,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
)

from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.inside import memory, pickling
from torchdoctor.loader.create import recommended_num_workers
from torchdoctor.loader.seeding import SeededDataset, SeededSampler, ShuffledSampler


def describe(loader: DataLoader[Any]) -> str:
    """Return a description of what a DataLoader does on this machine, one fact per line.

    The first lines name problems, if there are any: a dataset or collate_fn that cannot be sent to a
    worker, then more workers than `recommended_num_workers` returns. The other lines name the settings:
    dataset, batch size, the sampler in force, workers, batches that are loaded ahead, the memory of this
    process (a worker that imports as much needs as much) and pinned memory. No sample is loaded, no worker
    started.
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
    dataset = _unwrap_dataset(loader)
    kind = "iterable" if isinstance(dataset, IterableDataset) else "map-style"
    seeded = "" if dataset is loader.dataset else ", seeded for each sample"
    yield f"dataset: {type(dataset).__qualname__}, {kind}{seeded}"
    yield f"batch size: {_describe_batch_size(loader)}"
    yield f"order: {_describe_order(loader)}"
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


def _describe_batch_size(loader: DataLoader[Any]) -> str:
    if loader.batch_sampler is None:
        return str(loader.batch_size) if loader.batch_size else "none, samples are not batched"
    return str(getattr(_unwrap(loader.batch_sampler), "batch_size", None) or "as the batch_sampler yields")


def _describe_order(loader: DataLoader[Any]) -> str:
    """Return the sampler in force and what it does; a batch_sampler leaves loader.sampler without use."""
    if isinstance(_unwrap_dataset(loader), IterableDataset):
        return "as the IterableDataset yields, without a sampler"
    batch_sampler = _unwrap(loader.batch_sampler)
    if batch_sampler is not None and type(batch_sampler) is not BatchSampler:
        return f"{type(batch_sampler).__name__}, the given batch_sampler"
    sampler = _unwrap(loader.sampler if batch_sampler is None else batch_sampler.sampler)
    return f"{type(sampler).__name__}{_describe_sampler(sampler)}"


def _describe_sampler(sampler: object) -> str:
    """Return what is known of the order of a sampler, after a comma; empty if nothing is."""
    match sampler:
        case DistributedSampler():
            order = "shuffled, set_epoch changes the order" if sampler.shuffle else "not shuffled"
            return f", part {sampler.rank + 1} of {sampler.num_replicas}, {order}"
        case RandomSampler(replacement=True):
            return ", drawn with replacement"
        case RandomSampler() | ShuffledSampler():
            return ", shuffled in each epoch"
        case SequentialSampler():
            return ", not shuffled"
    return ""


def _unwrap(sampler: object) -> Any:
    """Return the sampler that one of `create_dataloader` wraps, or the sampler itself."""
    return sampler.sampler if isinstance(sampler, SeededSampler) else sampler


def _unwrap_dataset(loader: DataLoader[Any]) -> Any:
    dataset = loader.dataset
    return dataset.dataset if isinstance(dataset, SeededDataset) else dataset


def _find_start_method(loader: DataLoader[Any]) -> str:
    context = loader.multiprocessing_context
    return str(context.get_start_method() if context is not None else multiprocessing.get_start_method())
