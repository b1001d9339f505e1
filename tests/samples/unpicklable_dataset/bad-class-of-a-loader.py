import h5py
import torch
from torch.utils.data import DataLoader


class Images:
    def __init__(self, path, transform=None):
        self.images = self.read(path)
        self.transform = transform

    def read(self, path):
        return h5py.File(path, "r")["images"]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return torch.from_numpy(self.images[index])


class Rows:
    def __init__(self):
        self.scale = lambda row: row / 2

    def __iter__(self):
        yield self.scale(torch.ones(2))


def make_loader(rows: "Rows | None"):
    return DataLoader(rows, num_workers=2)


def make_other_loader(images):
    return DataLoader(images, num_workers=2)


if __name__ == "__main__":
    for batch in make_other_loader(Images("a.h5", transform=lambda image: image)):
        print(batch)
