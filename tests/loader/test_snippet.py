"""The function of the script to paste takes the options that a person passes."""

import itertools
from types import ModuleType

import pytest

from torchdoctor.facts import DatasetTrial
from torchdoctor.loader.snippet import write_snippet

pytestmark = pytest.mark.torch

PLAN = [
    ("num_workers", "2"),
    ("persistent_workers", "True"),
    ("prefetch_factor", "2"),
    ("timeout", "300"),
    ("pin_memory", "False"),
    ("generator", "generator"),
]
WITHOUT_WORKERS = [("num_workers", "0"), ("pin_memory", "False"), ("generator", "generator")]
NUMBERS = list(range(100))


def _run_snippet(settings: list[tuple[str, str]], trial: DatasetTrial | None = None) -> ModuleType:
    module = ModuleType("script")
    exec(
        write_snippet(settings, trial).replace(
            "from data import make  # save this script beside data.py", ""
        ),
        module.__dict__,
    )
    return module


@pytest.mark.parametrize(
    ("options", "first_batch"),
    [
        ({"shuffle": False}, NUMBERS[:32]),
        ({"shuffle": False, "batch_size": 3, "drop_last": True}, [0, 1, 2]),
        ({"sampler": [7, 8, 9]}, [7, 8, 9]),
        ({"batch_sampler": [[5, 6]]}, [5, 6]),
        ({"sampler": [4], "batch_size": None}, 4),
        ({"shuffle": False, "pin_memory": False, "collate_fn": sum, "batch_size": 2}, 1),
    ],
    ids=["shuffle", "batch-size", "sampler", "batch-sampler", "no-batches", "collate"],
)
@pytest.mark.parametrize("settings", [PLAN, WITHOUT_WORKERS], ids=["workers", "no-workers"])
def test_options_replace_the_settings(settings: list, options: dict, first_batch: object) -> None:
    loader = _run_snippet(settings).make_loader(NUMBERS, num_workers=0, **options)
    batch = next(iter(loader))
    assert (batch.tolist() if hasattr(batch, "tolist") else batch) == first_batch


def test_seed_repeats_the_order() -> None:
    make_loader = _run_snippet(WITHOUT_WORKERS).make_loader
    orders = [[batch.tolist() for batch in make_loader(NUMBERS, seed=seed)] for seed in (3, 3, 4)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(itertools.chain(*orders[0])) == NUMBERS


def test_settings_of_the_plan_stay_unless_they_are_replaced() -> None:
    loader = _run_snippet(PLAN).make_loader(NUMBERS, num_workers=1)
    assert (loader.num_workers, loader.persistent_workers, loader.timeout) == (1, True, 300)


def test_rebuilt_loader_takes_options_too() -> None:
    from torch.utils.data import DataLoader  # noqa: TID251

    trial = DatasetTrial("data.py:make", (), 1.0, None, kind="factory", is_loader=True, batch_size=4)
    given = DataLoader(NUMBERS, batch_size=4)
    loader = _run_snippet(PLAN, trial).make_loader(given, num_workers=0)
    assert next(iter(loader)).tolist() == [0, 1, 2, 3]
