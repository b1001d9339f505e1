"""The functions of torchdoctor.loader with a real torch, and workers started by spawn as on Windows."""

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
    """A dataset with a tensor that claims to be on a GPU, for machines without one."""

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


def _read_batches(dataloader, epochs=2):
    return [batch.tolist() for _ in range(epochs) for batch in dataloader]


@pytest.mark.filterwarnings("ignore:This DataLoader will create")
def test_workers_do_not_change_order_and_augmentation() -> None:
    without_workers = loader.create_dataloader(
        Noisy(), 3, shuffle=True, seed=7, num_workers=0, workers="keep"
    )
    expected = _read_batches(without_workers)
    for workers in (1, 4):
        dataloader = loader.create_dataloader(
            Noisy(), 3, shuffle=True, seed=7, num_workers=workers, workers="keep",
            multiprocessing_context="spawn", persistent_workers=workers == 4,
        )  # fmt: skip
        assert _read_batches(dataloader) == expected


def test_another_process_gives_the_same_order_and_augmentation() -> None:
    program = (
        "import importlib.util as u, sys\n"
        f"spec = u.spec_from_file_location('t', {__file__!r}); t = u.module_from_spec(spec)\n"
        "sys.modules['t'] = t; spec.loader.exec_module(t)\n"
        "print(t._read_batches(t.loader.create_dataloader(t.Noisy(), 3, shuffle=True, seed=7)))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.strip() == str(
        _read_batches(loader.create_dataloader(Noisy(), 3, shuffle=True, seed=7))
    )


def test_epochs_differ_and_can_be_repeated() -> None:
    dataloader = loader.create_dataloader(Noisy(), None, shuffle=True, seed=1, num_workers=0)
    first, second = _read_batches(dataloader, 1), _read_batches(dataloader, 1)
    assert first != second
    dataloader.sampler.set_epoch(0)
    assert _read_batches(dataloader, 1) == first


def test_random_state_of_the_program_is_unchanged() -> None:
    torch_state, python_state = torch.get_rng_state(), random.getstate()
    dataloader = loader.create_dataloader(Noisy(), 3, seed=7, num_workers=0)
    iterator = iter(dataloader)
    torch.set_rng_state(torch_state)
    list(iterator)
    assert torch.equal(torch.get_rng_state(), torch_state) and random.getstate() == python_state


def test_unpicklable_dataset_gets_no_workers_and_one_warning() -> None:
    dataset = Noisy()
    dataset.transform = lambda x: x
    with pytest.warns(UserWarning, match=r"num_workers is 0 instead of 1: .*dataset cannot be sent"):
        dataloader = loader.create_dataloader(dataset, num_workers=1, multiprocessing_context="spawn")
    assert dataloader.num_workers == 0


def test_too_many_workers_are_reduced_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="num_workers is .* instead of 500: .*cores|memory|commit|worker"):
        dataloader = loader.create_dataloader(Noisy(), num_workers=500)
    assert dataloader.num_workers == loader.recommended_num_workers()


def test_keeping_the_workers_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loader.create_dataloader(Noisy(), num_workers=1, workers="keep").num_workers == 1


def test_describe_begins_with_what_will_fail() -> None:
    dataset = Noisy()
    dataset.transform = lambda x: x
    text = loader.describe(DataLoader(dataset, num_workers=1, multiprocessing_context="spawn"))
    assert text.startswith("will fail: its dataset cannot be sent to a worker")
    assert "workers: 1, spawn" in text


def test_precompute_resumes_after_an_interrupt(tmp_path) -> None:
    with pytest.raises(KeyboardInterrupt):
        loader.precompute(Interrupted(), tmp_path)
    with pytest.raises(ValueError, match="no finished samples"):
        loader.PrecomputedDataset(tmp_path)
    dataset = Interrupted()
    dataset.stops_at = None
    precomputed = pickle.loads(pickle.dumps(loader.precompute(dataset, tmp_path)))
    assert len(precomputed) == 10
    assert precomputed[-1]["name"] == "sample 9" and precomputed[3]["pair"] == (3, [3])
    assert len(list(tmp_path.rglob("*.pt"))) == 10 and not list(tmp_path.rglob("*.[0-9]*"))


def test_worker_loads_precomputed_samples_of_a_dataset_on_the_gpu(tmp_path) -> None:
    dataset = OnGpu()
    assert "CUDA tensor" in pickling.try_pickling({"dataset": dataset})[1]
    precomputed = loader.precompute(dataset, tmp_path)
    dataloader = DataLoader(precomputed, 5, num_workers=1, multiprocessing_context="spawn")
    assert _read_batches(dataloader, 1) == [[0.0, 1.0, 2.0, 3.0, 4.0]]


def test_precompute_refuses_the_folder_of_another_dataset(tmp_path) -> None:
    loader.precompute(Noisy(3), tmp_path)
    with pytest.raises(ValueError, match="holds 3 samples"):
        loader.precompute(Noisy(4), tmp_path)


def test_verify_finds_no_difference_in_a_seeded_loader() -> None:
    answer = loader.verify_reproducibility(lambda: loader.create_dataloader(Noisy(), 4, shuffle=True, seed=3))
    assert (answer.same, answer.batches, answer.difference) == (True, 3, None)


def test_verify_describes_the_first_difference() -> None:
    def make_batches():
        return [{"x": torch.tensor([1.0, 2.0]), "y": torch.tensor([0.5, random.random()])}]

    answer = loader.verify_reproducibility(make_batches)
    assert not answer and answer.difference.startswith("epoch 0, batch 0['y']: 0.")
    assert "at [1], 1 values differ" in answer.difference


def test_seed_everything_repeats_random_numbers() -> None:
    was_deterministic = torch.are_deterministic_algorithms_enabled()
    try:
        loader.seed_everything(5)
        first = random.random(), torch.rand(2).tolist()
        loader.seed_everything(5)
        assert (random.random(), torch.rand(2).tolist()) == first
    finally:
        torch.use_deterministic_algorithms(was_deterministic)
