import multiprocessing as mp

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset
from torchvision import transforms


def halve(image):
    return image / 2


def read_lines(path):
    with open(path) as file:
        yield from file


class Stream(IterableDataset):
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        yield from self.items


class Rows(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        yield from Stream(read_lines(self.path))


class Pictures(Dataset):
    def __init__(self, path, cache):
        self.paths = list(read_lines(path))
        self.first = next(read_lines(path))
        self.steps = self.make_steps(64)
        self.scale = self.make_scale()(1)
        self.lines = read_lines(path)
        self.count = sum(1 for _ in self.lines)
        self.lines = None
        self.cache = cache

    @staticmethod
    def make_steps(size):
        return [transforms.Resize(size), transforms.Lambda(halve)]

    def make_scale(self):
        return lambda value: value / self.count

    def read_samples(self):
        yield from self.paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        self.samples = self.read_samples()
        return torch.load(self.paths[index])


if __name__ == "__main__":
    manager = mp.Manager()
    for batch in DataLoader(Pictures("paths.txt", manager.dict()), num_workers=2):
        print(batch)
