"""create_dataloader refuses arguments as torch does, and says what the plan changes."""

import warnings

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

from torch.utils.data import Dataset, IterableDataset  # noqa: E402, TID251

from torchdoctor import loader  # noqa: E402


class Numbers(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return index


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(8))


NUMBERS = Numbers()
PAIRS = [[0, 1], [2, 3]]


@pytest.mark.parametrize("seed", [None, 3], ids=["unseeded", "seeded"])
@pytest.mark.parametrize(
    ("dataset", "options", "message"),
    [
        (Stream(), {"shuffle": True}, "IterableDataset: expected unspecified shuffle option"),
        (Stream(), {"sampler": [0]}, "IterableDataset: expected unspecified sampler option"),
        (NUMBERS, {"shuffle": True, "sampler": [0]}, "sampler option is mutually exclusive with shuffle"),
        (NUMBERS, {"batch_size": 4, "batch_sampler": PAIRS}, "mutually exclusive with batch_size"),
        (NUMBERS, {"sampler": [0], "batch_sampler": PAIRS}, "mutually exclusive with batch_size, .*sampler"),
        (NUMBERS, {"drop_last": True, "batch_sampler": PAIRS}, "mutually exclusive with .*drop_last"),
        (NUMBERS, {"batch_size": 0}, "batch_size=0"),
        (NUMBERS, {"num_workers": -1}, "num_workers is -1; it is 0 or more, or None"),
        (NUMBERS, {"num_workers": 0, "prefetch_factor": 4}, "0, and prefetch_factor=4 needs num_workers of 1"),
        (NUMBERS, {"num_workers": 0, "timeout": 5}, "num_workers is 0, and timeout=5 needs num_workers of 1"),
        (NUMBERS, {"workers": "keep", "timeout": 5}, "num_workers is 0, and timeout=5"),
        (NUMBERS, {"num_workers": 1, "timeout": -5}, "timeout option should be non-negative"),
        (NUMBERS, {"workers": "all"}, 'workers is "plan" or "keep", not \'all\''),
    ],
)  # fmt: skip
def test_refuses_what_torch_refuses(dataset, options: dict, message: str, seed: int | None) -> None:
    with pytest.raises(ValueError, match=message):
        loader.create_dataloader(dataset, seed=seed, **options)


@pytest.mark.parametrize(
    ("dataset", "options", "message"),
    [
        (NUMBERS, {"num_workers": "2"}, "num_workers is '2'; it is 0 or more, or None"),
        (NUMBERS, {"num_workers": 1.5}, "num_workers is 1.5; it is 0 or more"),
        (NUMBERS, {"seed": 1.5}, "seed is 1.5; it is an integer of 64 bits, or None"),
        (NUMBERS, {"num_worker": 2}, "unexpected keyword argument 'num_worker'"),
        (Numbers, {}, "dataset is the class Numbers, not an instance of it"),
        (iter([1]), {}, "dataset is of type list_iterator; it is an object with __getitem__"),
    ],
)
def test_refuses_wrong_types(dataset, options: dict, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        loader.create_dataloader(dataset, **options)


@pytest.mark.parametrize("wanted", [None, 1])
def test_warning_names_the_options_that_are_left_out(wanted: int | None) -> None:
    dataset = Numbers()
    dataset.transform = lambda x: x
    with pytest.warns(UserWarning, match="no use for prefetch_factor, multiprocessing_context"):
        dataloader = loader.create_dataloader(
            dataset, num_workers=wanted, prefetch_factor=4, multiprocessing_context="spawn"
        )
    assert dataloader.num_workers == 0


@pytest.mark.parametrize("seed", [None, 3], ids=["unseeded", "seeded"])
def test_options_without_effect_are_accepted_without_workers(seed: int | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataloader = loader.create_dataloader(
            NUMBERS, num_workers=0, seed=seed, timeout=0, prefetch_factor=None, persistent_workers=False
        )
    assert len(list(dataloader)) == 8
