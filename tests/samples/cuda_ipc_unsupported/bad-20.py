import torch
import torch.multiprocessing as mp


class Learner(mp.Process):
    def __init__(self, model):
        super().__init__()
        self.model = model


if __name__ == "__main__":
    Learner(torch.nn.Linear(2, 2).cuda()).start()
