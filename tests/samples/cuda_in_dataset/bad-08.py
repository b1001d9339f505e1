import torch
from torch.utils.data import Dataset, DataLoader


class D(Dataset):
    def __init__(self, opt):
        dev = "cuda" if torch.cuda.is_available() else "cpu"
        self.model, self.prep = clip.load("ViT", device=dev)
