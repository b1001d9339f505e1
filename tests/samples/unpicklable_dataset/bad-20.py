import lmdb
from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path):
        self.reader = self._open(path)
        self.length = 10

    def _open(self, path):
        return lmdb.open(path, readonly=True, lock=False)

    def __getitem__(self, index):
        with self.reader.begin() as transaction:
            return transaction.get(str(index).encode())

    def __len__(self):
        return self.length
