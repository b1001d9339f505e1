import os
from dataclasses import dataclass

from torch.utils.data import DataLoader


@dataclass
class TrainConfig:
    num_workers: int = 8
    unread_workers: int = 8
    val_workers: int = 4
    test_workers: int = 5

    def __post_init__(self):
        if os.name == "nt":
            self.num_workers = 0


@dataclass
class ServerConfig:
    workers: int = 8


@dataclass
class Machine:
    num_workers: int = 8


def make(config: TrainConfig, server: ServerConfig):
    print(server.workers)
    return [
        DataLoader([1], num_workers=each)
        for each in (config.num_workers, config.val_workers, config.test_workers)
    ]
