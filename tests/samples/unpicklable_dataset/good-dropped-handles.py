import bz2

import h5py
from torch.utils.data import Dataset


class Cubes(Dataset):
    def __init__(self, path, labels):
        self.file = h5py.File(path, "r")
        self.cubes = self.file["raw"][()]
        self.file.close()
        self.file = None
        self.other = h5py.File(path, "r")
        self.other.close()
        del self.other
        self.packed = bz2.open(labels)
        self.packed.close()

    def __getitem__(self, index):
        return self.cubes[index]
