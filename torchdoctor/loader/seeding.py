"""Random numbers that depend on the sample, not on the process that loads it."""

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch  # noqa: TID251 (this part of the package is for programs that have it)
from torch.utils.data import Dataset, Sampler  # noqa: TID251

try:
    import numpy  # noqa: TID251 (augmentations use it)
except ImportError:
    numpy = None  # type: ignore[assignment, unused-ignore]


class SeededDataset(Dataset[Any]):
    """A map-style dataset that seeds `random`, NumPy and torch for each sample of another dataset.

    The seed of a sample is derived from `seed`, the epoch and the position in the epoch. A sample is indexed
    by the (epoch, position, index) that `SeededSampler` yields, so it is the same in every process, however
    many there are. Afterwards the random states of the process are restored.
    """

    def __init__(self, dataset: Dataset[Any], seed: int) -> None:
        self.dataset = dataset
        self.seed = seed

    def __len__(self) -> int:
        return len(self.dataset)  # type: ignore[arg-type]

    def __getitem__(self, place: tuple[int, int, Any]) -> object:
        epoch, position, index = place
        with use_seed(_derive_seed(self.seed, epoch, position)):
            return self.dataset[index]

    def __getattr__(self, name: str) -> Any:
        # While it is unpickled, it has no `dataset` yet, and looking for that would recurse without end.
        if name.startswith("__") or "dataset" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.dataset, name)


class SeededSampler(Sampler[Any]):
    """A sampler that yields (epoch, position, index) for each index of another sampler or batch sampler."""

    def __init__(self, sampler: Any, *, yields_batches: bool) -> None:
        self.sampler = sampler
        self.epoch = 0
        self._yields_batches = yields_batches

    def __len__(self) -> int:
        return len(self.sampler)

    def __iter__(self) -> Iterator[Any]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        position = 0
        for item in self.sampler:
            if self._yields_batches:
                yield [(epoch, position + offset, index) for offset, index in enumerate(item)]
                position += len(item)
            else:
                yield epoch, position, item
                position += 1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "sampler" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.sampler, name)

    def set_epoch(self, epoch: int) -> None:
        """Set the number of the next epoch, as after a restart, also in the wrapped sampler."""
        self.epoch = epoch
        if hasattr(self.sampler, "set_epoch"):
            self.sampler.set_epoch(epoch)


class ShuffledSampler(Sampler[int]):
    """A sampler that shuffles each epoch; the order depends on the seed and the epoch alone."""

    def __init__(self, length: int, seed: int) -> None:
        self._length = length
        self._seed = seed
        self._epoch = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[int]:
        generator = torch.Generator()
        generator.manual_seed(_derive_seed(self._seed, self._epoch, -1))
        self._epoch += 1
        yield from torch.randperm(self._length, generator=generator).tolist()

    def set_epoch(self, epoch: int) -> None:
        """Set the number of the next epoch, as after a restart."""
        self._epoch = epoch


@contextmanager
def use_seed(seed: int) -> Iterator[None]:
    """Seed `random`, NumPy and torch (CPU) for a block, and restore their states afterwards."""
    python_state, torch_state = random.getstate(), torch.get_rng_state()
    numpy_state = numpy.random.get_state() if numpy is not None else None
    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    if numpy is not None:
        numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32])
    try:
        yield
    finally:
        random.setstate(python_state)
        torch.set_rng_state(torch_state)
        if numpy_state is not None:
            numpy.random.set_state(numpy_state)


def _derive_seed(seed: int, epoch: int, position: int) -> int:
    # A hash, so that similar seeds give unrelated random numbers; it is the same on every system.
    digest = hashlib.blake2b(f"{seed} {epoch} {position}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
