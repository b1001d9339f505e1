# What is taken out of the file is an array, and the transform says itself how it is pickled.
import h5py
from torch.utils.data import DataLoader, Dataset


class Scale:
    def __init__(self, factor):
        self.apply = lambda value: value * factor
        self.factor = factor

    def __reduce__(self):
        return Scale, (self.factor,)


class Patches(Dataset):
    def __init__(self, path):
        self.transform = Scale(2)
        with h5py.File(path, "r") as store:
            self.images = store["images"][:]
            self.first = store.get("labels")[0]

    def __getitem__(self, index):
        return self.transform.apply(self.images[index])

    def __len__(self):
        return len(self.images)


loader = DataLoader(Patches("a.h5"), num_workers=2)
