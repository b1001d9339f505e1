"""A loader that prefetches in a background thread and copies on a CUDA stream of its own."""

import queue
import threading

import torch
from torch.utils.data import DataLoader


class BackgroundGenerator(threading.Thread):
    def __init__(self, source, local_rank, size=10):
        super().__init__()
        self.queue = queue.Queue(size)
        self.source = source
        self.local_rank = local_rank
        self.daemon = True
        self.start()

    def run(self):
        torch.cuda.set_device(self.local_rank)
        for item in self.source:
            self.queue.put(item)
        self.queue.put(None)

    def __iter__(self):
        return self

    def __next__(self):
        item = self.queue.get()
        if item is None:
            raise StopIteration
        return item


class PrefetchingLoader(DataLoader):
    def __init__(self, local_rank, **options):
        super().__init__(**options)
        self.stream = torch.cuda.Stream(local_rank)
        self.local_rank = local_rank

    def __iter__(self):
        self.batches = BackgroundGenerator(super().__iter__(), self.local_rank)
        self.preload()
        return self

    def preload(self):
        self.batch = next(self.batches, None)
        if self.batch is None:
            return
        with torch.cuda.stream(self.stream):
            for key in self.batch:
                if isinstance(self.batch[key], torch.Tensor):
                    self.batch[key] = self.batch[key].to(device=self.local_rank, non_blocking=True)

    def __next__(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        if batch is None:
            raise StopIteration
        self.preload()
        return batch
