import h5py
from torch.utils.data import Dataset


class Cubes(Dataset):
    def __init__(self, path, labels):
        self.file = h5py.File(path, "r")
        self.cubes = self.file["raw"][()]
        table = open(labels)
        self.labels = table
        self.lines = table.readlines()
        self.close_files()
        table.close()

    def close_files(self):
        self.file.close()

    def __getitem__(self, index):
        return self.cubes[index], self.lines[index]
