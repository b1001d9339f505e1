# The transform is an object of this file, and keeps a lambda.
from torch.utils.data import DataLoader
from torchvision import transforms as T
from torchvision.datasets import ImageFolder


class Augment:
    def __init__(self, size):
        self.steps = T.Compose([T.Lambda(lambda image: image.convert("RGB")), T.Resize(size), T.ToTensor()])

    def __call__(self, image):
        return self.steps(image)


def build(config):
    data = ImageFolder(config.path, Augment(config.size))
    return DataLoader(data, config.batch, num_workers=config.workers)
