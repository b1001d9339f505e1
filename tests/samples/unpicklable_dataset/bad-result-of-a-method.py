import multiprocessing as mp

import torch
from torch.utils.data import Dataset
from torchvision import transforms


class Source:
    def make_label(self):
        return lambda label: label + 1


class Pictures(Dataset, Source):
    def __init__(self, paths):
        self.paths = paths
        self.steps = self.make_steps(64)
        self.label = self.make_label()
        self.crop = Pictures.make_crop()
        self.manager = mp.Manager()
        self.cache = self.manager.dict()

    @staticmethod
    def make_steps(size):
        steps = [transforms.Resize(size)]
        steps.append(transforms.Lambda(lambda image: image / 2))
        return steps

    @classmethod
    def make_crop(cls):
        def crop(image):
            return image[:8]

        return crop

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return self.crop(torch.load(self.paths[index])), self.label(index)
