from torch.utils.data import DataLoader, Dataset


def main():
    class D(Dataset):
        def __getitem__(self, i):
            return i

    l = DataLoader(D(), num_workers=2)
