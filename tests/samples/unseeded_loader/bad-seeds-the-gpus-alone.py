import random

import torch
from torch.utils.data import DataLoader, Dataset


class Flipped(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return random.random()


def train():
    random.seed(0)
    torch.cuda.manual_seed_all(0)
    for batch in DataLoader(Flipped(), num_workers=2, generator=None):
        print(batch)
