import torch
import torch.multiprocessing as mp
from torch import nn


def move_before():
    model = nn.Linear(1, 1)
    model = model.cuda()
    mp.Process(target=print, args=(model,)).start()


def move_in_a_loop():
    queue = mp.Queue()
    value = torch.zeros(1)
    for _ in range(3):
        queue.put(value)
        value = value.cuda()


class Agent:
    def move(self):
        self.other.cuda()

    def share(self):
        self.other.share_memory()

    def share_perhaps_another(self, flag):
        if flag:
            self.other = nn.Linear(1, 1)
        self.other.share_memory()

    def share_what_was_moved(self):
        self.model = nn.Linear(1, 1)
        self.model.cuda()
        self.model.share_memory()

    def share_in_a_branch(self, flag):
        if flag:
            self.model = nn.Linear(1, 1).cuda()
        else:
            self.model.share_memory()
