import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(s, ds):
        s.l = DataLoader(ds, num_workers=4)

    def fit(self):
        for b in self.l:
            pass


t = Trainer(ds)
t.fit()
