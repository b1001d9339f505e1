import h5py
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, p):
        f = h5py.File(p, "r")
        self.a = f["a"]
        self.b = f.get("b")
