"""describe names the sampler in force, whichever argument it comes from."""

import re

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

from torch.utils.data import (  # noqa: E402, TID251
    BatchSampler,
    DataLoader,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    Sampler,
)

from torchdoctor import loader  # noqa: E402

NUMBERS = list(range(8))


class Backwards(Sampler):
    def __iter__(self):
        return iter(reversed(NUMBERS))

    def __len__(self):
        return 8


class Halves(Backwards):
    def __iter__(self):
        return iter((NUMBERS[:4], NUMBERS[4:]))


class Stream(IterableDataset):
    def __iter__(self):
        return iter(NUMBERS)


PART = DistributedSampler(NUMBERS, num_replicas=4, rank=1)
RANDOM_PAIRS = BatchSampler(RandomSampler(NUMBERS), 2, drop_last=False)


@pytest.mark.parametrize("seed", [None, 3], ids=["unseeded", "seeded"])
@pytest.mark.parametrize(
    ("dataset", "options", "order", "batch_size"),
    [
        (NUMBERS, {}, "SequentialSampler, not shuffled", "1"),
        (NUMBERS, {"shuffle": True}, "(Random|Shuffled)Sampler, shuffled in each epoch", "1"),
        (NUMBERS, {"shuffle": True, "batch_size": None}, "(Random|Shuffled)Sampler, shuffled.*", "none, .*"),
        (NUMBERS, {"sampler": Backwards(), "batch_size": 4}, "Backwards", "4"),
        (NUMBERS, {"batch_sampler": RANDOM_PAIRS}, "RandomSampler, shuffled in each epoch", "2"),
        (NUMBERS, {"batch_sampler": Halves()}, "Halves, the given batch_sampler", "as the batch_sampler .*"),
        (Stream(), {"batch_size": 4}, "as the IterableDataset yields, without a sampler", "4"),
        (NUMBERS, {"sampler": PART}, "DistributedSampler, part 2 of 4, shuffled, set_epoch.*", "1"),
    ],
    ids=["default", "shuffle", "no-batches", "own", "batches", "own-batches", "stream", "distributed"],
)  # fmt: skip
def test_names_the_sampler_in_force(dataset, options: dict, order: str, batch_size: str, seed) -> None:
    dataloader = loader.create_dataloader(dataset, num_workers=0, seed=seed, **options)
    lines = dict(line.split(": ", 1) for line in loader.describe(dataloader).splitlines())
    assert re.fullmatch(order, lines["order"]), lines
    assert re.fullmatch(batch_size, lines["batch size"]), lines


def test_order_of_a_loader_that_was_made_without_the_doctor() -> None:
    text = loader.describe(DataLoader(NUMBERS, batch_sampler=Halves()))
    assert "order: Halves, the given batch_sampler\n" in text
