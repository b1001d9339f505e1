from torch.utils.data import DataLoader


def loaders():
    a = DataLoader(ds, num_workers=2)
    return a, 10


tr, n = loaders()
m = build(n)
m.train()
fit(n)
