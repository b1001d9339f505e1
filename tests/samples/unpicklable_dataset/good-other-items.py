# The lambdas are items that no dataset gets.
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def main(augment):
    steps = [transforms.ToTensor()] + ([transforms.RandomHorizontalFlip()] if augment else [])
    tables = {"train": transforms.Compose([*steps]), "name": lambda path: path.stem}
    tables["key"] = lambda path: path.suffix
    names = ["b", "a"]
    names.sort(key=lambda name: name.lower())
    data = datasets.ImageFolder("train", transform=tables["train"])
    for batch in DataLoader(data, num_workers=2):
        print(batch)


if __name__ == "__main__":
    main(True)
