from torchvision.datasets import ImageFolder


def shift(label):
    return label - 1


class Shifted(ImageFolder):
    def __init__(self, root, **options):
        super().__init__(root, target_transform=shift, **options)
        list(map(lambda name: name, []))
