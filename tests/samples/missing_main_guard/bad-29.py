# The workers stand in the partial from which the loaders are made.
from functools import partial

from torch.utils.data import DataLoader

from shapes import Parts

WORKERS = 4
make_loader = partial(DataLoader, batch_size=16, num_workers=WORKERS)
loader = make_loader(Parts("train"))

for points, label in loader:
    print(points.shape, label)
