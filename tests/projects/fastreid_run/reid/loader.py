import queue
import threading

import torch
from torch.utils.data import DataLoader


class PrefetchThread(threading.Thread):
    def __init__(self, batches, device, depth=4):
        super().__init__(daemon=True)
        self.batches = batches
        self.device = device
        self.ready = queue.Queue(depth)
        self.stopped = threading.Event()
        self.start()

    def run(self):
        torch.cuda.set_device(self.device)
        for batch in self.batches:
            if self.stopped.is_set():
                break
            self.ready.put(batch)
        self.ready.put(None)

    def __iter__(self):
        return self

    def __next__(self):
        batch = self.ready.get()
        if batch is None:
            raise StopIteration
        return batch


class StreamLoader(DataLoader):
    def __init__(self, device, **options):
        super().__init__(**options)
        self.device = device
        self.stream = torch.cuda.Stream(device)

    def __iter__(self):
        self.source = PrefetchThread(super().__iter__(), self.device)
        self.load_ahead()
        return self

    def load_ahead(self):
        self.batch = next(self.source, None)
        if self.batch is None:
            return
        with torch.cuda.stream(self.stream):
            for name in self.batch:
                self.batch[name] = self.batch[name].to(device=self.device, non_blocking=True)

    def __next__(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        if batch is None:
            self.source.stopped.set()
            self.source.join()
            raise StopIteration
        self.load_ahead()
        return batch
