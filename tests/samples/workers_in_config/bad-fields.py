from dataclasses import dataclass, field

from torch.utils.data import DataLoader
from transformers import HfArgumentParser


@dataclass
class DataArguments:
    num_workers: int = field(default=8, metadata={"help": "processes of the loader"})


@dataclass
class TrainConfig:
    n_worker: int = 16


def make(config: TrainConfig):
    (arguments,) = HfArgumentParser(DataArguments).parse_args_into_dataclasses()
    return DataLoader([arguments], num_workers=config.n_worker)
