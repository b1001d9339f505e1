"""Datasets as people write them, good and bad.

A comment "named:" tells what the doctor must say of its line: the way to the object, and what it is.
"""

# ruff: noqa: SIM115, TID251
import collections
import contextlib
import functools
import io
import logging
import multiprocessing
import os
import random
import sqlite3
import sys
import tempfile
import threading
import time
import weakref
import zipfile
from concurrent.futures import ThreadPoolExecutor

import torch
from torch.utils.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    get_worker_info,
)


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
        plain = [abs, Lambd(scale)]
        added = Lambd(lambda value: value + 1)  # named: dataset.transform.transforms[2].lambd: lambda
        self.transform = Compose([*plain, added])


class LocalClass(Plain):
    def __init__(self):
        super().__init__()

        class Crop:  # named: dataset.crop: instance of local class Crop
            size = 3

        self.crop = Crop()


class SqliteHandle(Plain):
    def __init__(self):
        super().__init__()
        self.database = sqlite3.connect(":memory:")  # named: dataset.database: database connection


class OpenFile(Plain):
    def __init__(self):
        super().__init__()
        file = open(__file__, encoding="utf-8")
        self.index = {"train": [file]}  # named: dataset.index['train'][0]: open file


class OpenHDF5(Plain):
    def __init__(self):
        import h5py

        super().__init__()
        settings = {"driver": "core", "backing_store": False}
        self.file = h5py.File("memory", "w", **settings)  # named: dataset.file: open HDF5 file


class OpenLMDB(Plain):
    def __init__(self):
        import lmdb

        super().__init__()
        self.env = lmdb.open(tempfile.mkdtemp())  # named: dataset.env: open LMDB database


class HoldsLock(Plain):
    def __init__(self):
        super().__init__()
        self.ready = threading.Event()  # named: dataset.ready._cond._lock: lock


class HoldsGenerator(Plain):
    def __init__(self):
        super().__init__()
        self.numbers = (number for number in range(3))  # named: dataset.numbers: generator


class PartialOfLambda(Plain):
    def __init__(self):
        super().__init__()
        double = lambda: 2  # noqa: E731  # named: dataset.transform.keywords['factor']: lambda
        self.transform = functools.partial(scale, factor=double)


class PartlyPicklable(Plain):
    def __init__(self):
        super().__init__()
        self.good = [functools.partial(scale, factor=2), {"a": (1, 2)}, logging.getLogger("x")]
        self.first = lambda: 1  # named: dataset.first: lambda
        self.second = io  # named: dataset.second: module
        self.third = threading.Lock()  # named: dataset.third: lock


class ReduceRaises(Plain):
    def __reduce__(self):
        raise ValueError("not today")  # named: dataset: ReduceRaises that raises when pickled


class SlotOfLambda:
    __slots__ = ("function",)

    def __init__(self, function):
        self.function = function


class HoldsSlots(Plain):
    def __init__(self):
        super().__init__()
        self.slotted = SlotOfLambda(lambda: 1)  # named: dataset.slotted.function: lambda


class OpenArchive(Plain):
    def __init__(self):
        super().__init__()
        self.archive = zipfile.ZipFile(io.BytesIO(), "w")  # named: dataset.archive: open archive


class HoldsPool(Plain):
    def __init__(self):
        super().__init__()
        self.pool = ThreadPoolExecutor(2)  # named: dataset.pool: pool of threads or processes


class HoldsWeakSet(Plain):
    def __init__(self):
        super().__init__()
        self.seen = weakref.WeakSet()  # named: dataset.seen: weak reference


class LocalTuple(Plain):
    def __init__(self):
        super().__init__()
        item = collections.namedtuple("Item", "path label")
        self.first = item("a", 1)  # named: dataset.first: instance of class Item not found by its name


class GradientHistory(Plain):
    def __init__(self):
        super().__init__()
        weight = torch.ones(2, requires_grad=True)
        self.mean = weight * 2  # named: dataset.mean: torch.Tensor with the history of its gradient


class TooDeep(Plain):
    def __init__(self):
        super().__init__()
        self.tree = functools.reduce(lambda inner, _: [inner], range(100_000), [])


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


class OneBadSample(Plain):
    def __getitem__(self, index):
        if index == 137:
            raise OSError("image file is truncated")
        return super().__getitem__(index)


class OddError(Exception):
    def __init__(self, name, why):
        super().__init__(f"{name}: {why}")


class OddErrorInWorker(Plain):
    def __getitem__(self, index):
        if get_worker_info() is not None:
            raise OddError("a.png", "no such codec")
        return super().__getitem__(index)


class SpeechlessError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class RaisesSpeechless(Plain):
    def __getitem__(self, index):
        raise SpeechlessError


class NoLength(Dataset):
    def __getitem__(self, index):
        return torch.tensor(float(index))


class NeedsRoot(Plain):
    def __init__(self, root):
        super().__init__()


class LoadsInWorker(Plain):
    def __getitem__(self, index):
        if get_worker_info() is not None:
            return next(iter(DataLoader(Plain(4), num_workers=1)))
        return super().__getitem__(index)


class SampleOfLambda(Plain):
    def __getitem__(self, index):
        return {"image": torch.zeros(1), "again": lambda: index}  # named: batch[0]['again']: lambda


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


def share(items):
    worker = get_worker_info()
    return items if worker is None else items[worker.id :: worker.num_workers]


class SharedByFunction(IterableDataset):
    def __iter__(self):
        yield from share(range(100))


def chained():
    return ChainDataset([SharedByFunction(), SharedByFunction()])


class AsksInVain(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        random.seed(worker.id if worker else 0)
        yield from range(100)


class Encoder(torch.nn.Linear):
    pass


class OnFakeDevice(Plain):
    """A module and a tensor that say they lie on a GPU, on a machine without one."""

    def __init__(self):
        from torch._subclasses.fake_tensor import FakeTensorMode

        super().__init__()
        encoder = Encoder(2, 2)
        with FakeTensorMode():
            mean = torch.empty(3, device="cuda")
            encoder.weight = torch.nn.Parameter(torch.empty(2, 2, device="cuda"))
        self.encoder = encoder  # named: dataset.encoder: Encoder with 1 tensor on the GPU
        self.mean = mean  # named: dataset.mean: CUDA tensor


class Gallery(Plain):
    """All that cannot be sent, each by its name: one trial finds them all."""

    def __init__(self):
        super().__init__()
        kinds = (
            NestedLambda, LocalClass, OpenHDF5, OpenLMDB, SqliteHandle, OpenFile, HoldsLock, HoldsGenerator,
            PartialOfLambda, PartlyPicklable, ReduceRaises, HoldsSlots, OnFakeDevice, HugeBytes, OpenArchive,
            HoldsPool, HoldsWeakSet, LocalTuple, GradientHistory,
        )  # fmt: skip
        self.shown = {}
        for kind in kinds:
            # Not every examined Python has h5py and lmdb.
            with contextlib.suppress(ImportError):
                self.shown[kind.__name__] = kind()


def several():
    """Datasets that look as if they could not be sent, all loaded by one worker."""
    kinds = (HoldsLogger, PropertyRaises, CustomReduce, OpensLate, SharesLock, PrintsMegabytes)
    return ConcatDataset([kind() for kind in kinds])


def make_loader_with_own_order():
    """Samplers stay in the training process, so they may hold anything."""
    batches = BatchSampler((number for number in range(64)), 8, drop_last=False)
    batches.chosen = lambda: 1
    return DataLoader(Plain(64), batch_sampler=batches)


def make_loader(bad=False):
    return DataLoader(
        Plain(64),
        batch_size=8,
        shuffle=True,
        collate_fn=(lambda batch: batch) if bad else torch.stack,  # named: collate_fn: lambda
        worker_init_fn=(lambda number: None) if bad else None,  # named: worker_init_fn: lambda
    )


built = Plain(50)
empty = Plain(0)


class EndsEarly(Plain):
    """Passes on what ends an iterator that it reads, which a dataset of samples with numbers must not raise."""

    def __getitem__(self, index):
        return next(iter(()))
