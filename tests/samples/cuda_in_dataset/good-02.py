import torch
from torch.utils.data import Dataset, DataLoader


class D(Dataset):
    def __getitem__(self, i):
        return self.x[i]


for x in DataLoader(D()):
    x.cuda()
