import torch
import torch.multiprocessing as mp
from project.backend import Backend


class Parameters:
    def __init__(self, pipeline=None, background=None):
        self.pipeline = pipeline
        self.background = background


class System:
    def __init__(self, config):
        self.background = torch.zeros(3, device="cuda")
        self.backend = Backend(config)
        self.backend.background = self.background
        self.parameters = Parameters(background=self.background)

    def run(self):
        workers = [
            mp.Process(target=self.backend.run),
            mp.Process(target=show, args=(self.parameters,)),
            mp.Process(target=self.show),
        ]
        for worker in workers:
            worker.start()

    def show(self):
        print(self.background)


class Predictor:
    def __init__(self, model):
        self.model = model
        self.model.cuda()
        self.context = mp.get_context("spawn")
        self.results = self.context.Queue()

    def predict(self, paths):
        with mp.Pool(2) as pool:
            print(pool.map(self.predict_one, paths))
        self.results.put(torch.ones(3).cuda())
        mp.spawn(self.serve, nprocs=2)

    def predict_one(self, path):
        return self.model(path)

    def serve(self, rank):
        print(rank)


def show(parameters):
    print(parameters)


def share():
    tensors = [torch.zeros(2, device="cuda:0"), torch.zeros(3, device="cuda:0")]
    for tensor in tensors:
        tensor.share_memory_()
    moved = [tensor.cuda() for tensor in (torch.ones(1), torch.ones(2))]
    mp.Process(target=print, args=(moved,)).start()
