import h5py
from torch.utils.data import Dataset


class Volumes(Dataset):
    def __init__(self, paths):
        self.files = []
        for path in paths:
            self.files.append(h5py.File(path, "r"))
        self.names = (path.stem for path in paths)

    def __getitem__(self, index):
        return self.files[index]["volume"][:]

    def __len__(self):
        return len(self.files)
