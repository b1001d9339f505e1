import random

from torch.utils.data import DataLoader, Dataset


class Flipped(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return random.random()


def train():
    random.seed()
    for batch in DataLoader(Flipped(), num_workers=2):
        print(batch)
