"""A dataset that aligns faces with a model on the GPU before it returns them."""

import os

import torch
from PIL import Image
from torch.utils.data import Dataset
from torchvision import transforms

from detector import Detector


class AlignedFaces(Dataset):
    def __init__(self, root, size=112):
        device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
        self.detector = Detector(crop_size=(size, size)).to(device)
        self.paths = [os.path.join(root, name) for name in sorted(os.listdir(root))]
        self.normalise = transforms.Compose([transforms.ToTensor(), transforms.Lambda(lambda image: image * 2 - 1)])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        image = Image.open(self.paths[index]).convert("RGB")
        return self.normalise(self.detector.align(image))
