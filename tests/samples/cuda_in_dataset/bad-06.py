import torch
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, x):
        self.x = torch.from_numpy(x).float().cuda()
        self.m = [a.cuda() for a in x]
