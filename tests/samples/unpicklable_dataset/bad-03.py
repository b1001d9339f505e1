from torch.utils.data import DataLoader


def f(ds):
    def collate(b):
        return b

    return DataLoader(ds, collate_fn=collate, num_workers=4)
