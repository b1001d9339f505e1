"""Makes a DataLoader after the plan: as many workers as are safe, and the same batches for the same seed."""

import ast
import multiprocessing
import warnings
from typing import Any, Literal

import torch  # noqa: TID251 (this part of the package is for programs that have it)
from torch.utils.data import (  # noqa: TID251
    BatchSampler,
    DataLoader,
    Dataset,
    IterableDataset,
    SequentialSampler,
)

from torchdoctor.facts import Absent, Facts, Memory, OperatingSystem, Processor, TorchImportTrial
from torchdoctor.inside import memory, pickling
from torchdoctor.inside.program import main_guard
from torchdoctor.loader.plan import LoaderPlan, make_plan
from torchdoctor.loader.seeding import SeededDataset, SeededSampler, ShuffledSampler
from torchdoctor.probes import machine

# What the plan may set where the caller has not; pin_memory is asked of the running torch instead.
_PLANNED = ("persistent_workers", "prefetch_factor", "timeout")
_FOR_WORKERS = (*_PLANNED, "multiprocessing_context")


def create_dataloader(
    dataset: Dataset[Any],
    batch_size: int | None = 1,
    *,
    shuffle: bool = False,
    num_workers: int | None = None,
    seed: int | None = None,
    workers: Literal["plan", "keep"] = "plan",
    **options: Any,
) -> DataLoader[Any]:
    """Make a DataLoader that is safe on this machine; further options are DataLoader's own.

    With workers="plan" no more workers are started than fit, none where they cannot work (a dataset that
    cannot be pickled, a script without a main guard), and a warning says what was changed and why.
    workers="keep" takes the number as it is given.

    With a seed, a map-style dataset gives the same samples in the same order with the same augmentation
    in every process, for any number of workers and for persistent ones: each sample draws from `random`,
    NumPy and torch as seeded by seed, epoch and its position (some 50 microseconds a sample). An epoch
    begins with each `iter`. Not covered, so possibly different for another number of workers: random
    numbers drawn in collate_fn or on a GPU, generator objects that the dataset keeps itself (Python's
    Random, NumPy's Generator), a dataset that changes while it is read, and IterableDataset, whose
    samples depend on how it splits itself between workers (the same seed and number repeat them).

    Raises:
        ValueError: an argument is not one of those that are known.
    """
    if workers not in ("plan", "keep"):
        raise ValueError(f'workers is "plan" or "keep", not {workers!r}')
    if workers == "keep":
        count = num_workers or 0
    else:
        plan = _plan_here()
        count, reason = _find_count(dataset, num_workers, plan, options)
        if num_workers is not None and count != num_workers:
            warnings.warn(
                f'num_workers is {count} instead of {num_workers}: {reason} (workers="keep" keeps it)',
                stacklevel=2,
            )
        if count:
            planned = {s.name: ast.literal_eval(s.value) for s in plan.settings if s.name in _PLANNED}
            options = {**planned, **options}
        else:
            # DataLoader refuses them without workers.
            options = {name: value for name, value in options.items() if name not in _FOR_WORKERS}
    options.setdefault("pin_memory", torch.cuda.is_available())
    if seed is None:
        return DataLoader(dataset, batch_size, shuffle, num_workers=count, **options)
    if isinstance(dataset, IterableDataset):
        options.setdefault("generator", torch.Generator().manual_seed(seed))
        return DataLoader(dataset, batch_size, num_workers=count, **options)
    return _seed_loader(dataset, batch_size, shuffle, count, seed, options)


def recommended_num_workers() -> int:
    """Give the number of DataLoader workers that fit this machine now, whatever the dataset."""
    return _plan_here().num_workers


def _plan_here() -> LoaderPlan:
    """Make the plan from what this process can see, without starting another."""
    held = memory.read_private_bytes()
    trial: TorchImportTrial | Absent = Absent("what this process holds could not be read")
    if held is not None:
        # What holds torch here costs at least what it costs a worker.
        trial = TorchImportTrial("imported", 0.0, 0.0, private_bytes_after=held)
    return make_plan(
        Facts(
            {
                OperatingSystem: machine.observe_operating_system(),
                Processor: machine.observe_processor(),
                Memory: machine.observe_memory(),
                TorchImportTrial: trial,
            }
        )
    )


def _find_count(
    dataset: Dataset[Any], asked: int | None, plan: LoaderPlan, options: dict[str, Any]
) -> tuple[int, str]:
    """Give the number of workers, and the reason for it."""
    count, reason = plan.num_workers, plan.settings[0].reason
    if asked is not None and asked <= count:
        count, reason = asked, "as asked"
    context = options.get("multiprocessing_context")
    if context is not None and not isinstance(context, str):
        context = context.get_start_method()
    if count == 0 or (context or multiprocessing.get_start_method()) == "fork":
        return count, reason
    unguarded = main_guard.find_unguarded()
    if unguarded:
        return 0, f"{unguarded} runs without a main guard, so every worker would run it again"
    sent = {"dataset": dataset, **{n: options.get(n) for n in ("collate_fn", "worker_init_fn")}}
    _, obstacle = pickling.try_pickling(sent)
    return (0, str(obstacle)) if obstacle else (count, reason)


def _seed_loader(
    dataset: Dataset[Any],
    batch_size: int | None,
    shuffle: bool,
    count: int,
    seed: int,
    options: dict[str, Any],
) -> DataLoader[Any]:
    batch_sampler, sampler = options.pop("batch_sampler", None), options.pop("sampler", None)
    if (sampler is not None or batch_sampler is not None) and shuffle:
        raise ValueError("a sampler has its own order: shuffle does not go with it")
    options.setdefault("generator", torch.Generator().manual_seed(seed))
    seeded = SeededDataset(dataset, seed)
    if batch_sampler is None:
        if sampler is None:
            length = len(dataset)  # type: ignore[arg-type]
            sampler = ShuffledSampler(length, seed) if shuffle else SequentialSampler(range(length))
        if batch_size is None:
            places = SeededSampler(sampler, gives_batches=False)
            return DataLoader(seeded, None, sampler=places, num_workers=count, **options)
        batch_sampler = BatchSampler(sampler, batch_size, options.pop("drop_last", False))
    places = SeededSampler(batch_sampler, gives_batches=True)
    return DataLoader(seeded, batch_sampler=places, num_workers=count, **options)
