from torch.utils.data import DataLoader


class A:
    def __init__(self):
        self.args = self.parse()
        self.loader = DataLoader(ds, num_workers=3)
        self.train()

    def train(self):
        for b in self.loader:
            pass


A()
