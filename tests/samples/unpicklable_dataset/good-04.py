import h5py
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, p):
        with h5py.File(p, "r") as f:
            self.n = len(f["a"])
        self.f = None

    def __getitem__(self, i):
        if self.f is None:
            self.f = h5py.File(self.p)
        return self.f[i]
