import os

from torch.utils.data import DataLoader

NUM_WORKERS = os.cpu_count()


def make_loader(data, num_workers=NUM_WORKERS):
    return DataLoader(data, num_workers=num_workers)


for batch in make_loader([1, 2]):
    print(batch)
