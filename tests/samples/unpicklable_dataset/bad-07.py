import h5py
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, p):
        self.f = h5py.File(p, "r")

    def __getitem__(self, i):
        return self.f["a"][i]
