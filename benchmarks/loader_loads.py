"""Three loads for loader_measure.py: bound by the processor, by waiting, and by nothing."""

import time

import torch  # noqa: TID251 (run by an interpreter that has it)
from torch.utils.data import DataLoader, Dataset  # noqa: TID251

BATCH_SIZE = 8


class Computing(Dataset):
    """Samples that take a while of one core each."""

    def __init__(self, length: int, seconds: float) -> None:
        self.length, self.seconds = length, seconds

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> torch.Tensor:
        until = time.thread_time() + self.seconds
        while time.thread_time() < until:
            pass
        return torch.zeros(64, 64)


class Waiting(Computing):
    """Samples that wait for a disk or a network."""

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.seconds)
        return torch.zeros(64, 64)


def make(load: str, length: int, seconds: float) -> DataLoader:
    """Make a plain loader of one of the loads: "computing", "waiting" or "trivial"."""
    dataset = Waiting(length, seconds) if load == "waiting" else Computing(length, seconds)
    return DataLoader(dataset, batch_size=BATCH_SIZE)


def measure_exhaustively(load: str, length: int, seconds: float, most: int) -> list[float]:
    """Load a whole epoch with each number of workers; give the seconds that it took, start-up included."""
    dataset, taken = make(load, length, seconds).dataset, []
    for workers in range(most + 1):
        context = "spawn" if workers else None
        started = time.perf_counter()
        loader = DataLoader(dataset, BATCH_SIZE, num_workers=workers, multiprocessing_context=context)
        for _ in loader:
            pass
        taken.append(time.perf_counter() - started)
    return taken
