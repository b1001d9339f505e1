from torch.utils.data import DataLoader


def make(tok):
    def inner(b):
        return tok(b)

    return inner


l = DataLoader(ds, collate_fn=make(t), num_workers=2)
