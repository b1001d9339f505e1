import copy

import torch
import torch.multiprocessing as mp


def get_device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Manager(mp.Process):
    def run(self):
        self.policy = torch.nn.Linear(3, 3)
        self.policy.to(get_device())
        self.policy.share_memory()


def main():
    model = torch.nn.Linear(3, 3)
    model.cuda()
    shared = copy.deepcopy(model)
    shared.share_memory()


if __name__ == "__main__":
    main()
