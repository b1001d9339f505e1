"""A function makes the dataset of the module; a test has a class of the same name."""

from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return index * index


def make_dataset():
    return Squares()


def test_squares():
    class Squares(Dataset):
        def __len__(self):
            return 1

    assert len(Squares()) == 1


def main():
    dataset = make_dataset()
    for batch in DataLoader(dataset, num_workers=2):
        print(batch)


if __name__ == "__main__":
    main()
