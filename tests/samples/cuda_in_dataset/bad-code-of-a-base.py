import torch
from torch.utils.data import DataLoader, Dataset


class Rays:
    def setup(self, rank):
        self.rank = rank
        self.directions = torch.ones(3).to(self.rank)


class Train(Dataset, Rays):
    def __init__(self, rank):
        self.setup(rank)

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.directions


class Test(Dataset, Rays):
    def __init__(self, rank):
        self.setup(rank)

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.directions


def make_loader(rank):
    return DataLoader(Train(rank), num_workers=2)
