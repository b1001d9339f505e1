from torch.utils.data import DataLoader


def loaders():
    a = DataLoader(ds, num_workers=2)
    b = DataLoader(ds, num_workers=2)
    return a, b


tr, te = loaders()
train(model, tr, te)
