# ruff: noqa: TID251
from torch.utils.data import DataLoader
from zoo import Plain

if __name__ == "__main__":
    data = Plain()
    for batch in DataLoader(data, num_workers=2):
        print(batch)
