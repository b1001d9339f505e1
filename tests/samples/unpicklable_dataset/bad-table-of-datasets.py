from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, root, transform=None):
        self.transform = transform

    def __getitem__(self, index):
        return self.transform(index)

    def __len__(self):
        return 4


KINDS = {"images": Images}


def make(kind, transform):
    return KINDS[kind]("root", transform=transform)


if __name__ == "__main__":
    data = make("images", lambda value: value + 1)
    for batch in DataLoader(data, num_workers=2):
        print(batch)
