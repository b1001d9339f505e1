from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Data:
    def __init__(self, augment):
        self.steps = []
        if augment:
            self.steps.append(lambda image: image.rotate(90))

    def make(self):
        return datasets.ImageFolder("train", transform=transforms.Compose(self.steps))


def main(augment):
    steps = [transforms.ToTensor()] + ([lambda image: image * 2] if augment else [])
    train = datasets.ImageFolder("train", transform=transforms.Compose([*steps]))
    tables = {"val": transforms.Compose([lambda image: image / 2])}
    tables["test"] = transforms.Lambda(lambda image: image / 3)
    val = datasets.ImageFolder("val", transform=tables["val"])
    test = datasets.ImageFolder("test", transform=tables["test"])
    for data in (train, val, test):
        for batch in DataLoader(data, num_workers=2):
            print(batch)


if __name__ == "__main__":
    main(True)
