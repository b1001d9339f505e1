from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, p):
        self.open_db(p)

    def open_db(self, p):
        import lmdb

        self.env = lmdb.open(p)
