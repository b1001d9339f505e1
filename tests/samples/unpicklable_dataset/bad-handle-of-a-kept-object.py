import h5py
import lmdb
from torch.utils.data import DataLoader, Dataset


class Table:
    def __init__(self, folder):
        self.env = lmdb.open(folder, readonly=True)


class Words:
    def __init__(self, folder):
        self.table = Table(folder)


class Pictures:
    def __init__(self, path):
        self.file = h5py.File(path, "r")


class Scenes(Dataset):
    def __init__(self, words, path):
        assert isinstance(words, Words)
        self.words = words
        self.pictures = Pictures(path)


class Sounds:
    def __init__(self, path):
        self.file = open(path, "rb")


class Clips(Dataset):
    def __init__(self, sounds):
        self.sounds = sounds


if __name__ == "__main__":
    sounds = Sounds("a.wav")
    for batch in DataLoader(Clips(sounds), num_workers=4):
        print(batch)
