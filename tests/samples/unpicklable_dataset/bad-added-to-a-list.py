import torchvision.transforms as T
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.transform(index)


def make_transform(gray):
    steps = [T.ToTensor()]
    if gray:
        steps.append(T.Lambda(lambda image: image.mean(0)))
    steps += [T.Lambda(lambda image: image / 2)]
    return T.Compose(steps)


def make_loader(workers=4):
    return DataLoader(Images(make_transform(True)), 4, True, None, None, workers)
