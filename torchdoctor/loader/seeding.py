"""Random numbers that belong to a sample, not to the process that happens to make it."""

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch  # noqa: TID251 (this part of the package is for programs that have it)
from torch.utils.data import Dataset, Sampler  # noqa: TID251

try:
    import numpy  # noqa: TID251 (augmentations draw from it)
except ImportError:
    numpy = None  # type: ignore[assignment, unused-ignore]


class SeededDataset(Dataset[Any]):
    """A dataset whose samples draw from `random`, NumPy and torch seeded by seed, epoch and position.

    It is asked with the (epoch, position, index) that `SeededSampler` gives, so it does not matter which
    process makes a sample, nor how many there are. The random numbers of the process are put back.
    """

    def __init__(self, dataset: Dataset[Any], seed: int) -> None:
        self.dataset = dataset
        self.seed = seed

    def __len__(self) -> int:
        return len(self.dataset)  # type: ignore[arg-type]

    def __getitem__(self, place: tuple[int, int, Any]) -> object:
        epoch, position, index = place
        with seeded(_mix(self.seed, epoch, position)):
            return self.dataset[index]

    def __getattr__(self, name: str) -> Any:
        # Not asked while unpickling, when there is no dataset yet.
        if name.startswith("__") or "dataset" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.dataset, name)


class SeededSampler(Sampler[Any]):
    """A sampler, or batch sampler, whose indices carry the epoch and the position in it."""

    def __init__(self, sampler: Any, *, gives_batches: bool) -> None:
        self.sampler = sampler
        self.epoch = 0
        self._gives_batches = gives_batches

    def __len__(self) -> int:
        return len(self.sampler)

    def __iter__(self) -> Iterator[Any]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        position = 0
        for given in self.sampler:
            if self._gives_batches:
                yield [(epoch, position + offset, index) for offset, index in enumerate(given)]
                position += len(given)
            else:
                yield epoch, position, given
                position += 1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "sampler" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.sampler, name)

    def set_epoch(self, epoch: int) -> None:
        """Go to an epoch, as after a restart; the sampler within is told as well."""
        self.epoch = epoch
        if hasattr(self.sampler, "set_epoch"):
            self.sampler.set_epoch(epoch)


class ShuffledSampler(Sampler[int]):
    """A permutation for each epoch, from the seed and the epoch alone."""

    def __init__(self, length: int, seed: int) -> None:
        self._length = length
        self._seed = seed
        self._epoch = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[int]:
        generator = torch.Generator()
        generator.manual_seed(_mix(self._seed, self._epoch, -1))
        self._epoch += 1
        yield from torch.randperm(self._length, generator=generator).tolist()

    def set_epoch(self, epoch: int) -> None:
        """Go to an epoch, as after a restart."""
        self._epoch = epoch


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed `random`, NumPy and torch (CPU) within, and put their states back after."""
    python, cpu = random.getstate(), torch.get_rng_state()
    array = numpy.random.get_state() if numpy is not None else None
    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    if numpy is not None:
        numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32])
    try:
        yield
    finally:
        random.setstate(python)
        torch.set_rng_state(cpu)
        if array is not None:
            numpy.random.set_state(array)


def _mix(seed: int, epoch: int, position: int) -> int:
    # Neighbouring seeds must not give neighbouring streams: a hash, the same on every system.
    digest = hashlib.blake2b(f"{seed} {epoch} {position}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
