from torchvision.datasets import ImageFolder


class Shifted(ImageFolder):
    def __init__(self, root, **options):
        super().__init__(root, target_transform=lambda label: label - 1, **options)
