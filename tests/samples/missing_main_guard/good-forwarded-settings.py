# The number of workers that is passed on is 0.
from torch.utils.data import DataLoader


def make_train(**settings):
    return DataLoader([1, 2], **settings)


for batch in make_train(num_workers=0):
    print(batch)
