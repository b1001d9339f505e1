import torchvision.transforms as T
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.transform(index)


def halve(image):
    return image / 2


def make_transform(gray):
    steps = [T.ToTensor()]
    steps.append(T.Lambda(halve))
    hooks = []
    hooks.append(lambda image: image)
    return T.Compose(steps)


def make_loader(workers=4):
    return DataLoader(Images(make_transform(True)), 4, True, None, None, workers)
