import random

import torch
from torch.utils.data import BatchSampler, Dataset, Sampler


class Faces(Dataset):
    """Synthetic pictures: the mean of a picture tells its identity."""

    def __init__(self, identities=4, each=8):
        self.items = [(identity, number) for identity in range(identities) for number in range(each)]
        self.transform = lambda picture: picture.flip(-1) if random.random() < 0.5 else picture

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        identity, number = self.items[index]
        generator = torch.Generator().manual_seed(number)
        picture = torch.randn(3, 16, 8, generator=generator) * 0.1 + identity
        return {"images": self.transform(picture) + torch.randn(()) * 0.01, "targets": torch.tensor(identity)}


class EndlessSampler(Sampler):
    def __init__(self, dataset, seed=0):
        self.dataset = dataset
        self.seed = seed

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed)
        while True:
            yield from torch.randperm(len(self.dataset), generator=generator).tolist()


def make_batches(dataset, size=8):
    return BatchSampler(EndlessSampler(dataset), size, drop_last=True)
