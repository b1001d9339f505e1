# ruff: noqa: TID251
from torch.utils.data import DataLoader
from zoo import Plain

for batch in DataLoader(Plain(), num_workers=2):
    print(batch)
