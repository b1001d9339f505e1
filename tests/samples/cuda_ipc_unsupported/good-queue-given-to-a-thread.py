import queue
import threading

import torch
import torch.multiprocessing as mp


class Reader(threading.Thread):
    def __init__(self, results):
        super().__init__()
        self.results = results

    def run(self):
        self.results.put(torch.zeros(1, device="cuda"))


class Worker(mp.Process):
    def __init__(self, results):
        super().__init__()
        self.results = results

    def run(self):
        self.results.put(torch.zeros(1, device="cuda").cpu())


if __name__ == "__main__":
    Reader(queue.Queue()).start()
    Worker(mp.Queue()).start()
