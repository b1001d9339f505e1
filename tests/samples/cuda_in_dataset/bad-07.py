import torch
from torch.utils.data import Dataset, DataLoader


class D(Dataset):
    def __getitem__(self, i):
        return torch.cuda.FloatTensor(self.x[i])
