import torch.multiprocessing as mp
from torch import nn


def move_later():
    model = nn.Linear(1, 1)
    model.share_memory()
    mp.Process(target=print, args=(model,)).start()
    model = model.cuda()
    model.cuda()


class Agent:
    def share(self):
        self.model = nn.Linear(1, 1)
        if self.workers:
            self.model.share_memory()

    def move(self):
        self.model.cuda()
