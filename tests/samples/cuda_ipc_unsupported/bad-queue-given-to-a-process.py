import torch
import torch.multiprocessing as mp


class Worker(mp.Process):
    def __init__(self, results, number=0):
        super().__init__()
        self.results = results
        self.number = number

    def run(self):
        self.results.put(torch.zeros(self.number, device="cuda"))


class Other(mp.Process):
    def __init__(self, number, *, results):
        super().__init__()
        self.done = results

    def run(self):
        self.done.put(torch.zeros(1).cuda())


def start(queue):
    Other(1, results=queue).start()


if __name__ == "__main__":
    Worker(mp.Queue(), 2).start()
    start(mp.SimpleQueue())
