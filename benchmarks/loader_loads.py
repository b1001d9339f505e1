"""Three loads for loader_measure.py: limited by the processor, by waiting, and by nothing."""

import time

import torch  # noqa: TID251 (run by an interpreter that has it)
from torch.utils.data import DataLoader, Dataset  # noqa: TID251

BATCH_SIZE = 8


class Computing(Dataset):
    """A dataset whose samples each take some seconds of one core."""

    def __init__(self, length: int, seconds: float) -> None:
        self.length, self.seconds = length, seconds

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> torch.Tensor:
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            pass
        return torch.zeros(64, 64)


class Waiting(Computing):
    """A dataset whose samples each wait for some seconds, as for a disk or a network."""

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.seconds)
        return torch.zeros(64, 64)


def make(load: str, length: int, seconds: float) -> DataLoader:
    """Return a plain DataLoader for one of the loads: "computing", "waiting" or "trivial"."""
    dataset = Waiting(length, seconds) if load == "waiting" else Computing(length, seconds)
    return DataLoader(dataset, batch_size=BATCH_SIZE)


def measure_exhaustively(load: str, length: int, seconds: float, max_workers: int) -> list[float]:
    """Return the seconds that a whole epoch takes with each number of workers from 0, start-up included."""
    dataset, epoch_seconds = make(load, length, seconds).dataset, []
    for workers in range(max_workers + 1):
        context = "spawn" if workers else None
        started = time.perf_counter()
        loader = DataLoader(dataset, BATCH_SIZE, num_workers=workers, multiprocessing_context=context)
        for _ in loader:
            pass
        epoch_seconds.append(time.perf_counter() - started)
    return epoch_seconds
