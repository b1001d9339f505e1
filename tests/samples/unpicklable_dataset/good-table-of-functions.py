# The table has losses, which the main process calls.
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 4


class Loss:
    def __init__(self, transform):
        self.transform = transform


KINDS = {"plain": Loss}

if __name__ == "__main__":
    loss = KINDS["plain"](transform=lambda value: value + 1)
    for batch in DataLoader(Images(), num_workers=2):
        print(loss.transform(batch))
