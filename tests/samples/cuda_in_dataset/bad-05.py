import torch
from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self, x):
        model = Net()
        model.cuda()
        self.model = model
