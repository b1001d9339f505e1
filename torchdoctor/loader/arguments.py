"""Refuse arguments of create_dataloader that mean nothing or do not go together."""

import operator
from collections.abc import Mapping
from typing import Any

from torch.utils.data import DataLoader, IterableDataset  # noqa: TID251 (for programs that have it)

# The options that only matter with workers.
WORKER_OPTIONS = ("persistent_workers", "prefetch_factor", "timeout", "multiprocessing_context")
# The seeds that a generator of torch takes.
_SMALLEST_SEED, _LARGEST_SEED = -(2**63), 2**64 - 1


def find_worker_options(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the given options that need workers; a value such as timeout=0 needs none."""
    return tuple(name for name in WORKER_OPTIONS if options.get(name))


def refuse_wrong_arguments(
    dataset: object,
    batch_size: int | None,
    shuffle: bool,
    num_workers: int | None,
    seed: int | None,
    workers: str,
    options: Mapping[str, Any],
) -> None:
    """Raise for arguments of create_dataloader that cannot be used; torch's own rules are asked of torch.

    Raises:
        TypeError, ValueError: the message says what was given and what is accepted.
    """
    if workers not in ("plan", "keep"):
        raise ValueError(f'workers is "plan" or "keep", not {workers!r}')
    _refuse_wrong_dataset(dataset)
    _refuse_wrong_number("num_workers", num_workers, "0 or more, or None for the number of the plan", 0)
    _refuse_wrong_number("seed", seed, "an integer of 64 bits, or None", _SMALLEST_SEED, _LARGEST_SEED)
    without_workers = 0 if workers == "keep" else None
    wanted = without_workers if num_workers is None else num_workers
    unused = find_worker_options(options)
    if wanted == 0 and unused:
        given = ", ".join(f"{name}={options[name]!r}" for name in unused)
        raise ValueError(f"num_workers is 0, and {given} needs num_workers of 1 or more")
    # No worker is started. One stands for any number, because torch warns of numbers that it finds high.
    DataLoader(dataset, batch_size, shuffle, num_workers=0 if wanted == 0 else 1, **options)  # type: ignore[arg-type]


def _refuse_wrong_dataset(dataset: object) -> None:
    accepted = "it is an object with __getitem__ and __len__, or an IterableDataset"
    if isinstance(dataset, type):
        raise TypeError(f"dataset is the class {dataset.__qualname__}, not an instance of it; {accepted}")
    if isinstance(dataset, DataLoader):
        raise TypeError(f"dataset is a DataLoader, not a dataset; {accepted}")
    if not isinstance(dataset, IterableDataset) and not hasattr(dataset, "__getitem__"):
        raise TypeError(f"dataset is of type {type(dataset).__qualname__}; {accepted}")


def _refuse_wrong_number(
    name: str, value: object, accepted: str, smallest: int, largest: int | None = None
) -> None:
    if value is None:
        return
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it is {accepted}") from None
    if number < smallest or (largest is not None and number > largest):
        raise ValueError(f"{name} is {value!r}; it is {accepted}")
