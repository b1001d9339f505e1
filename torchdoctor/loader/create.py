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

from torchdoctor.facts import Absent, Facts, Memory, OperatingSystem, Processor, TorchImportTrial
from torchdoctor.inside import memory, pickling
from torchdoctor.inside.program import main_guard
from torchdoctor.loader.plan import LoaderPlan, make_plan
from torchdoctor.loader.seeding import SeededDataset, SeededSampler, ShuffledSampler
from torchdoctor.probes import machine

# The options that the plan sets unless the caller does; pin_memory depends on the running torch instead.
_PLAN_OPTIONS = ("persistent_workers", "prefetch_factor", "timeout")
_WORKER_OPTIONS = (*_PLAN_OPTIONS, "multiprocessing_context")


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
    The plan sets persistent_workers, prefetch_factor and timeout unless they are given; without workers,
    these options and multiprocessing_context are dropped, because DataLoader refuses them.

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
        ValueError: workers is neither "plan" nor "keep", or shuffle is given together with a sampler.
    """
    if workers not in ("plan", "keep"):
        raise ValueError(f'workers is "plan" or "keep", not {workers!r}')
    if workers == "keep":
        count = num_workers or 0
    else:
        plan = _make_plan_here()
        count, reason = _choose_worker_count(dataset, num_workers, plan, options)
        if num_workers is not None and count != num_workers:
            warnings.warn(
                f'num_workers is {count} instead of {num_workers}: {reason} (workers="keep" keeps it)',
                stacklevel=2,
            )
        if count:
            plan_options = {
                setting.name: ast.literal_eval(setting.value)
                for setting in plan.settings
                if setting.name in _PLAN_OPTIONS
            }
            options = {**plan_options, **options}
        else:
            # DataLoader refuses these options without workers.
            options = {name: value for name, value in options.items() if name not in _WORKER_OPTIONS}
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
    return _make_plan_here().num_workers


def _make_plan_here() -> LoaderPlan:
    """Make the plan from what this process can observe, without starting another process."""
    private_bytes = memory.read_private_bytes()
    trial: TorchImportTrial | Absent = Absent("what this process holds could not be read")
    if private_bytes is not None:
        # This process has imported torch, so it holds at least as much as importing torch costs a worker.
        trial = TorchImportTrial("imported", 0.0, 0.0, private_bytes_after=private_bytes)
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
    if (sampler is not None or batch_sampler is not None) and shuffle:
        raise ValueError("a sampler has its own order: shuffle does not go with it")
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
