import torch
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, x, device="cpu"):
        self.x = x.to(device)
