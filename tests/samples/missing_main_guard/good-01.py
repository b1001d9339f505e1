from torch.utils.data import DataLoader


class Trainer:
    def __init__(s, ds):
        s.l = DataLoader(ds, num_workers=4)

    def fit(self):
        for b in self.l:
            pass


t = Trainer(ds)
if __name__ == "__main__":
    t.fit()
