"""A function makes the dataset; its class is at module level."""

from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return index * index


def make_dataset():
    return Squares()


def main():
    dataset = make_dataset()
    for batch in DataLoader(dataset, num_workers=2):
        print(batch)


if __name__ == "__main__":
    main()
