import h5py, numpy as np
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, p):
        f = h5py.File(p, "r")
        self.a = np.array(f["a"])
        self.b = f["b"][:]
        self.c = f["c"][()]
