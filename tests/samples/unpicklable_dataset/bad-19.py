# A part of an HDF5 file stays open as long as the file, and a method opens another.
import h5py
from torch.utils.data import Dataset


class Patches(Dataset):
    def __init__(self, path):
        store = h5py.File(path, "r")
        self.images = store.get("images")

    def __getitem__(self, index):
        return self.images[index]

    def __len__(self):
        return self.images.shape[0]
