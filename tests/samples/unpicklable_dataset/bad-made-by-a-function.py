"""A function makes the dataset; its class is inside the function."""

from torch.utils.data import DataLoader, Dataset


def make_dataset():
    class Squares(Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, index):
            return index * index

    return Squares()


def main():
    dataset = make_dataset()
    for batch in DataLoader(dataset, num_workers=2):
        print(batch)


if __name__ == "__main__":
    main()
