# The function of this key makes a loader without workers.
from torch.utils.data import DataLoader


def make_train():
    return DataLoader([1, 2], num_workers=2)


def make_val():
    return DataLoader([1, 2])


LOADERS = {"train": make_train, "val": make_val}
for batch in LOADERS["val"]():
    print(batch)
