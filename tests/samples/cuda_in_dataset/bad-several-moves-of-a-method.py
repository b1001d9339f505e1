import torch
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = torch.tensor(self.images[index]).cuda()
        label = torch.tensor(self.labels[index]).cuda()
        return image, label


loader = DataLoader(Pairs([1.0], [0.0]), num_workers=2)
