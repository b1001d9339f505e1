"""torchdoctor.loader's functions on a real torch, with workers started as Windows starts them."""

import pickle
import random
import subprocess
import sys
import warnings

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402, TID251
from torch.utils.data import DataLoader, Dataset  # noqa: E402, TID251

from torchdoctor import loader  # noqa: E402
from torchdoctor.inside import pickling  # noqa: E402


class Noisy(Dataset):
    def __init__(self, length=10):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return torch.tensor([index, random.random(), torch.rand(()).item()], dtype=torch.float64)


class OnGpu(Dataset):
    """Holds a tensor that says it lies on a GPU, on a machine without one."""

    def __init__(self):
        with FakeTensorMode():
            self.mean = torch.empty(3, device="cuda")

    def __len__(self):
        return 5

    def __getitem__(self, index):
        assert self.mean.is_cuda
        return torch.tensor(float(index))


class Interrupted(Noisy):
    stops_at = 6

    def __getitem__(self, index):
        if index == self.stops_at:
            raise KeyboardInterrupt
        return {"x": torch.arange(8.0)[index % 8], "name": f"sample {index}", "pair": (index, [index])}


def _read(made, epochs=2):
    return [batch.tolist() for _ in range(epochs) for batch in made]


@pytest.mark.filterwarnings("ignore:This DataLoader will create")
def test_same_order_and_augmentation_without_and_with_workers() -> None:
    alone = loader.create_dataloader(Noisy(), 3, shuffle=True, seed=7, num_workers=0, workers="keep")
    expected = _read(alone)
    for workers in (1, 4):
        made = loader.create_dataloader(
            Noisy(), 3, shuffle=True, seed=7, num_workers=workers, workers="keep",
            multiprocessing_context="spawn", persistent_workers=workers == 4,
        )  # fmt: skip
        assert _read(made) == expected


def test_same_order_and_augmentation_in_another_process() -> None:
    program = (
        "import importlib.util as u, sys\n"
        f"spec = u.spec_from_file_location('t', {__file__!r}); t = u.module_from_spec(spec)\n"
        "sys.modules['t'] = t; spec.loader.exec_module(t)\n"
        "print(t._read(t.loader.create_dataloader(t.Noisy(), 3, shuffle=True, seed=7)))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.stdout.strip() == str(_read(loader.create_dataloader(Noisy(), 3, shuffle=True, seed=7)))


def test_epochs_differ_and_each_can_be_gone_to() -> None:
    made = loader.create_dataloader(Noisy(), None, shuffle=True, seed=1, num_workers=0)
    first, second = _read(made, 1), _read(made, 1)
    assert first != second
    made.sampler.set_epoch(0)
    assert _read(made, 1) == first


def test_programs_own_random_numbers_are_left_alone() -> None:
    state, python = torch.get_rng_state(), random.getstate()
    made = loader.create_dataloader(Noisy(), 3, seed=7, num_workers=0)
    iterator = iter(made)
    torch.set_rng_state(state)
    list(iterator)
    assert torch.equal(torch.get_rng_state(), state) and random.getstate() == python


def test_unpicklable_dataset_gets_no_workers_and_one_warning() -> None:
    dataset = Noisy()
    dataset.transform = lambda x: x
    with pytest.warns(UserWarning, match=r"num_workers is 0 instead of 1: .*dataset cannot be sent"):
        made = loader.create_dataloader(dataset, num_workers=1, multiprocessing_context="spawn")
    assert made.num_workers == 0


def test_too_many_workers_are_cut_with_the_reason() -> None:
    with pytest.warns(UserWarning, match="num_workers is .* instead of 500: .*cores|memory|commit|worker"):
        made = loader.create_dataloader(Noisy(), num_workers=500)
    assert made.num_workers == loader.recommended_num_workers()


def test_kept_workers_warn_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loader.create_dataloader(Noisy(), num_workers=1, workers="keep").num_workers == 1


def test_describe_names_what_cannot_work_first() -> None:
    dataset = Noisy()
    dataset.transform = lambda x: x
    text = loader.describe(DataLoader(dataset, num_workers=1, multiprocessing_context="spawn"))
    assert text.startswith("will fail: its dataset cannot be sent to a worker")
    assert "workers: 1, spawn" in text


def test_precompute_goes_on_where_it_was_interrupted(tmp_path) -> None:
    with pytest.raises(KeyboardInterrupt):
        loader.precompute(Interrupted(), tmp_path)
    with pytest.raises(ValueError, match="no finished samples"):
        loader.PrecomputedDataset(tmp_path)
    dataset = Interrupted()
    dataset.stops_at = None
    made = pickle.loads(pickle.dumps(loader.precompute(dataset, tmp_path)))
    assert len(made) == 10 and made[-1]["name"] == "sample 9" and made[3]["pair"] == (3, [3])
    assert len(list(tmp_path.rglob("*.pt"))) == 10 and not list(tmp_path.rglob("*.[0-9]*"))


def test_precomputed_samples_of_a_dataset_on_the_gpu_are_loaded_by_a_worker(tmp_path) -> None:
    dataset = OnGpu()
    assert "CUDA tensor" in pickling.try_pickling({"dataset": dataset})[1]
    made = loader.precompute(dataset, tmp_path)
    batches = DataLoader(made, 5, num_workers=1, multiprocessing_context="spawn")
    assert _read(batches, 1) == [[0.0, 1.0, 2.0, 3.0, 4.0]]


def test_precompute_refuses_another_datasets_folder(tmp_path) -> None:
    loader.precompute(Noisy(3), tmp_path)
    with pytest.raises(ValueError, match="holds 3 samples"):
        loader.precompute(Noisy(4), tmp_path)


def test_verify_finds_a_seeded_loader_the_same() -> None:
    found = loader.verify_reproducibility(lambda: loader.create_dataloader(Noisy(), 4, shuffle=True, seed=3))
    assert (found.same, found.batches, found.difference) == (True, 3, None)


def test_verify_says_what_differed_first() -> None:
    def make():
        return [{"x": torch.tensor([1.0, 2.0]), "y": torch.tensor([0.5, random.random()])}]

    found = loader.verify_reproducibility(make)
    assert not found and found.difference.startswith("epoch 0, batch 0['y']: 0.")
    assert "at [1], 1 values differ" in found.difference


def test_seed_everything_repeats() -> None:
    before = torch.are_deterministic_algorithms_enabled()
    try:
        loader.seed_everything(5)
        first = random.random(), torch.rand(2).tolist()
        loader.seed_everything(5)
        assert (random.random(), torch.rand(2).tolist()) == first
    finally:
        torch.use_deterministic_algorithms(before)
