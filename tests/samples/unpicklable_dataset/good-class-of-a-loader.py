import h5py
import torch
from torch.utils.data import DataLoader


class Images:
    def __init__(self, path):
        self.path = path
        self.file = None

    def __len__(self):
        return 100

    def __getitem__(self, index):
        if self.file is None:
            self.file = h5py.File(self.path, "r")
        return torch.from_numpy(self.file["images"][index])


class Settings:
    def __init__(self):
        self.scale = lambda row: row / 2


class Store:
    def __init__(self, path):
        self.file = h5py.File(path, "r")

    def __len__(self):
        return 100

    def __getitem__(self, index):
        return self.file["images"][index]


def make_images(settings: Settings):
    return Images(settings.scale("a.h5"))


def make_loader(images: Images, settings: Settings):
    return DataLoader(images, num_workers=2)


if __name__ == "__main__":
    print(Store("a.h5")[0])
    for batch in make_loader(make_images(Settings()), Settings()):
        print(batch)
