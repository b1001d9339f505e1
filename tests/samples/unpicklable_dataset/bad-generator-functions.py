import itertools

from torch.utils.data import DataLoader, Dataset, IterableDataset


def read_lines(path):
    with open(path) as file:
        yield from file


class Lines(IterableDataset):
    def __init__(self, path):
        self.lines = read_lines(path)
        self.pairs = itertools.cycle(self.make_pairs())
        lines = read_lines(path)
        self.others = lines

    def make_pairs(self):
        yield 1, 2

    def __iter__(self):
        return zip(self.lines, self.pairs)


class Given(Dataset):
    def __init__(self, lines):
        self.lines = lines

    def __len__(self):
        return 100

    def __getitem__(self, index):
        return next(self.lines)


if __name__ == "__main__":
    for batch in DataLoader(Given(read_lines("a.txt")), num_workers=2):
        print(batch)
