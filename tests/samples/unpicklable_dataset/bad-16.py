from torchvision import transforms, datasets
from torch.utils.data import DataLoader


def get_transform():
    return transforms.Compose([transforms.Lambda(lambda x: x)])


ds = datasets.ImageFolder("a", transform=get_transform())
l = DataLoader(ds, num_workers=2)
