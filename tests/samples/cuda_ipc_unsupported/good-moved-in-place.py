import copy

import torch
import torch.multiprocessing as mp


def get_device():
    return torch.device("cpu")


class Manager(mp.Process):
    def run(self):
        self.policy = torch.nn.Linear(3, 3)
        self.policy.to(get_device())
        self.policy.share_memory()


class Other:
    def run(self):
        self.policy.cuda()


def main():
    shared = copy.deepcopy(torch.nn.Linear(3, 3))
    shared.share_memory()


if __name__ == "__main__":
    main()
