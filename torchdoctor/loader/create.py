"""Create a DataLoader from the loader plan: only as many workers as are safe, and repeatable batches."""

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

from torchdoctor.inside import pickling
from torchdoctor.inside.program import main_guard
from torchdoctor.loader.arguments import WORKER_OPTIONS, find_worker_options, refuse_wrong_arguments
from torchdoctor.loader.here import make_plan_here
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.loader.seeding import SeededDataset, SeededSampler, ShuffledSampler

# The options that the plan sets unless the caller does; pin_memory depends on the running torch instead.
_PLAN_OPTIONS = ("persistent_workers", "prefetch_factor", "timeout")


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
    """Return a DataLoader that is safe on this machine.

    Args:
        dataset: the dataset to load, map-style or iterable.
        batch_size: the number of samples in a batch; None turns batching off, as in DataLoader.
        shuffle: whether each epoch has a new order.
        num_workers: the wanted number of workers; None means the number of the plan.
        seed: makes batches repeatable, as described below.
        workers: "plan" limits num_workers to what is safe; "keep" uses it as it is (None means 0).
        options: the other arguments of DataLoader. pin_memory is on by default if CUDA is available.

    With workers="plan", the loader has at most as many workers as fit this machine, and none if workers
    cannot run: the dataset, collate_fn or worker_init_fn cannot be pickled, or the script has no main
    guard (both matter only if workers are not forked). If this changes num_workers, a warning says why.
    The plan sets persistent_workers, prefetch_factor and timeout unless they are given. If the plan has no
    workers, these options and multiprocessing_context are left out, and the warning names those that were
    given.

    With a seed, a map-style dataset yields the same samples in the same order with the same augmentation
    in every process, for any number of workers, persistent or not. Before each sample, `random`, NumPy
    and torch are seeded from the seed, the epoch and the position of the sample in the epoch, which takes
    about 50 microseconds. Each `iter` of the loader begins a new epoch. The following is not covered and
    can differ with the number of workers:

    - random numbers that collate_fn draws, or that are drawn on a GPU;
    - generator objects that the dataset holds (Python's Random, NumPy's Generator);
    - a dataset that changes while it is read;
    - an IterableDataset, whose samples depend on how it splits itself between workers. The same seed and
      the same number of workers repeat them.

    Raises:
        TypeError, ValueError: an argument is of no use here, or DataLoader refuses it: shuffle with a sampler
            or an IterableDataset, batch_size with a batch_sampler, prefetch_factor with num_workers=0.
    """
    refuse_wrong_arguments(dataset, batch_size, shuffle, num_workers, seed, workers, options)
    count = num_workers or 0
    if workers == "plan":
        count, options, change = _follow_plan(dataset, num_workers, options)
        if change:
            warnings.warn(change, stacklevel=2)
    options.setdefault("pin_memory", torch.cuda.is_available())
    if seed is None:
        return DataLoader(dataset, batch_size, shuffle, num_workers=count, **options)
    if isinstance(dataset, IterableDataset):
        options.setdefault("generator", torch.Generator().manual_seed(seed))
        return DataLoader(dataset, batch_size, num_workers=count, **options)
    return _make_seeded_loader(dataset, batch_size, shuffle, count, seed, options)


def recommended_num_workers() -> int:
    """Return the number of DataLoader workers that fit this machine now; no dataset is considered.

    It depends on the cores, on the memory and commit that are free now, and on the private memory of this
    process, which a worker is expected to need as well. It is 0 if no number is known to be safe.
    """
    return make_plan_here().num_workers


def _follow_plan(
    dataset: Dataset[Any], wanted_count: int | None, options: dict[str, Any]
) -> tuple[int, dict[str, Any], str | None]:
    """Return the number of workers, the options for it, and what changes what was asked; None if nothing."""
    plan = make_plan_here()
    count, reason = _choose_worker_count(dataset, wanted_count, plan, options)
    unused = () if count else find_worker_options(options)
    change = _describe_change(count, wanted_count, reason, unused)
    if not count:
        # DataLoader refuses these options without workers.
        return 0, {name: value for name, value in options.items() if name not in WORKER_OPTIONS}, change
    plan_options = {
        setting.name: ast.literal_eval(setting.value)
        for setting in plan.settings
        if setting.name in _PLAN_OPTIONS
    }
    return count, {**plan_options, **options}, change


def _describe_change(
    count: int, wanted_count: int | None, reason: str, unused: tuple[str, ...]
) -> str | None:
    """Return what differs from the arguments and why; `unused` are the options that are left out."""
    is_reduced = wanted_count is not None and count != wanted_count
    if not is_reduced and not unused:
        return None
    change = f"num_workers is {count}" + (f" instead of {wanted_count}" if is_reduced else "") + f": {reason}"
    if is_reduced:
        change += ' (workers="keep" keeps it)'
    if unused:
        change += f"; without workers there is no use for {', '.join(unused)}"
    return change


def _choose_worker_count(
    dataset: Dataset[Any], wanted_count: int | None, plan: LoaderPlan, options: dict[str, Any]
) -> tuple[int, str]:
    """Return the number of workers and the reason for it."""
    count, reason = plan.num_workers, plan.settings[0].reason
    if wanted_count is not None and wanted_count <= count:
        count, reason = wanted_count, "as asked"
    context = options.get("multiprocessing_context")
    if context is not None and not isinstance(context, str):
        context = context.get_start_method()
    if count == 0 or (context or multiprocessing.get_start_method()) == "fork":
        return count, reason
    unguarded = main_guard.find_unguarded()
    if unguarded:
        return 0, f"{unguarded} runs without a main guard, so every worker would run it again"
    worker_objects = {
        "dataset": dataset,
        **{name: options.get(name) for name in ("collate_fn", "worker_init_fn")},
    }
    _, obstacle = pickling.try_pickling(worker_objects)
    return (0, str(obstacle)) if obstacle else (count, reason)


def _make_seeded_loader(
    dataset: Dataset[Any],
    batch_size: int | None,
    shuffle: bool,
    count: int,
    seed: int,
    options: dict[str, Any],
) -> DataLoader[Any]:
    """Return a DataLoader for a map-style dataset that seeds each sample by its epoch and position."""
    batch_sampler, sampler = options.pop("batch_sampler", None), options.pop("sampler", None)
    options.setdefault("generator", torch.Generator().manual_seed(seed))
    seeded_dataset = SeededDataset(dataset, seed)
    if batch_sampler is None:
        if sampler is None:
            length = len(dataset)  # type: ignore[arg-type]
            sampler = ShuffledSampler(length, seed) if shuffle else SequentialSampler(range(length))
        if batch_size is None:
            seeded_sampler = SeededSampler(sampler, yields_batches=False)
            return DataLoader(seeded_dataset, None, sampler=seeded_sampler, num_workers=count, **options)
        batch_sampler = BatchSampler(sampler, batch_size, options.pop("drop_last", False))
    seeded_sampler = SeededSampler(batch_sampler, yields_batches=True)
    return DataLoader(seeded_dataset, batch_sampler=seeded_sampler, num_workers=count, **options)
