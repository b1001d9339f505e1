import threading

import torch
import torch.multiprocessing as mp
from project.backend import Backend


class Parameters:
    def __init__(self, pipeline=None, background=None):
        self.pipeline = pipeline
        self.is_light = background is not None


class System:
    def __init__(self, config):
        self.background = torch.zeros(3)
        self.backend = Backend(config)
        self.backend.background = self.background.cpu()
        self.parameters = Parameters(background=torch.zeros(3, device="cuda"))

    def run(self):
        workers = [
            mp.Process(target=self.backend.run),
            mp.Process(target=show, args=(self.parameters,)),
            mp.Process(target=self.show),
        ]
        for worker in workers:
            worker.start()
        self.backend.background = self.background.cuda()

    def show(self):
        self.image = self.background.cuda()


class Threaded:
    def __init__(self, model):
        self.model = model.cuda()

    def run(self):
        threading.Thread(target=self.work).start()

    def work(self):
        print(self.model)


class Pickled:
    def __init__(self, model):
        self.model = model.cuda()

    def __getstate__(self):
        return {}

    def run(self):
        mp.Process(target=self.work).start()

    def work(self):
        print(self.model)


def show(parameters):
    print(parameters)


def share():
    tensors = [torch.zeros(2), torch.zeros(3)]
    for tensor in tensors:
        tensor.share_memory_()
    for step, tensor in enumerate([torch.zeros(3, device="cuda")]):
        print(step, tensor)
