"""Datasets as people write them, good and bad; each is tried by test_dataset_trial.py."""

# ruff: noqa: SIM115, TID251
import functools
import io
import logging
import multiprocessing
import os
import sqlite3
import sys
import threading
import time

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Plain(Dataset):
    def __init__(self, length=200):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return torch.tensor(float(index))


class Lambd:
    def __init__(self, lambd):
        self.lambd = lambd


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms


def scale(value, factor):
    return value * factor


class NestedLambda(Plain):
    def __init__(self):
        super().__init__()
        self.transform = Compose([abs, Lambd(scale), Lambd(lambda value: value + 1)])


class LocalClass(Plain):
    def __init__(self):
        super().__init__()

        class Crop:
            size = 3

        self.crop = Crop()


class SqliteHandle(Plain):
    def __init__(self):
        super().__init__()
        self.database = sqlite3.connect(":memory:")


class OpenFile(Plain):
    def __init__(self):
        super().__init__()
        self.index = {"train": [open(__file__, encoding="utf-8")]}


class HoldsLock(Plain):
    def __init__(self):
        super().__init__()
        self.ready = threading.Event()


class HoldsGenerator(Plain):
    def __init__(self):
        super().__init__()
        self.numbers = (number for number in range(3))


class PartialOfLambda(Plain):
    def __init__(self):
        super().__init__()
        self.transform = functools.partial(scale, factor=lambda: 2)


class PartlyPicklable(Plain):
    def __init__(self):
        super().__init__()
        self.good = [functools.partial(scale, factor=2), {"a": (1, 2)}, logging.getLogger("x")]
        self.first = lambda: 1
        self.second = io
        self.third = threading.Lock()


class ReduceRaises(Plain):
    def __reduce__(self):
        raise ValueError("not today")


class SlotOfLambda:
    __slots__ = ("function",)

    def __init__(self):
        self.function = lambda: 1


class HoldsSlots(Plain):
    def __init__(self):
        super().__init__()
        self.slotted = SlotOfLambda()


class HoldsLogger(Plain):
    def __init__(self):
        super().__init__()
        self.log = logging.getLogger("training")


class PropertyRaises(Plain):
    @property
    def folder(self):
        raise RuntimeError("nobody should ask")


class CustomReduce(Plain):
    def __init__(self, length=200):
        super().__init__(length)
        self.file = open(__file__, encoding="utf-8")

    def __reduce__(self):
        return CustomReduce, (self.length,)


class OpensLate(Plain):
    file = None

    def __getitem__(self, index):
        if self.file is None:
            self.file = open(__file__, encoding="utf-8")
        return super().__getitem__(index)


class SharesLock(Plain):
    def __init__(self):
        super().__init__()
        self.lock = multiprocessing.Lock()
        self.count = multiprocessing.Value("i", 0)


class HugeBytes(Plain):
    def __init__(self):
        super().__init__()
        self.images = {"train": os.urandom(1024) * (120 * 1024)}
        self.table = torch.zeros(1000)


class UnpickleRaises(Plain):
    def __setstate__(self, state):
        raise KeyError("version")


class BuildHangs(Plain):
    def __init__(self):
        time.sleep(600)


class SampleHangs(Plain):
    def __getitem__(self, index):
        time.sleep(600)


class SampleExits(Plain):
    def __getitem__(self, index):
        os._exit(3)


class SampleQuits(Plain):
    def __getitem__(self, index):
        sys.exit("no data")


class SampleRaises(Plain):
    def __getitem__(self, index):
        raise FileNotFoundError("images/0001.png")


class WorkerRaises(Plain):
    def __getitem__(self, index):
        if get_worker_info() is not None:
            raise OSError("only one process may read this")
        return super().__getitem__(index)


class WorkerDies(Plain):
    def __getitem__(self, index):
        if get_worker_info() is not None:
            os._exit(7)
        return super().__getitem__(index)


class WorkerHangs(Plain):
    def __getitem__(self, index):
        if get_worker_info() is not None:
            time.sleep(600)
        return super().__getitem__(index)


class PrintsMegabytes(Plain):
    def __getitem__(self, index):
        print("x" * 100_000)
        print("y" * 100_000, file=sys.stderr)
        return super().__getitem__(index)


class DifferentShapes(Plain):
    def __getitem__(self, index):
        return torch.zeros(index + 1)


class Stream(IterableDataset):
    def __iter__(self):
        yield from range(100)


class ShardedStream(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        step = worker.num_workers if worker else 1
        yield from range(worker.id if worker else 0, 100, step)


def on_fake_device():
    """A module and a tensor that say they lie on a GPU, on a machine without one."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    dataset = Plain()
    dataset.encoder = torch.nn.Sequential(torch.nn.Linear(2, 2))
    with FakeTensorMode():
        dataset.mean = torch.empty(3, device="cuda")
        dataset.encoder[0].weight = torch.nn.Parameter(torch.empty(2, 2, device="cuda"))
    return dataset


def make_loader(bad=False):
    return DataLoader(
        Plain(64),
        batch_size=8,
        shuffle=True,
        collate_fn=(lambda batch: batch) if bad else torch.stack,
        worker_init_fn=(lambda number: None) if bad else None,
    )


built = Plain(50)
