import torch
from torch.utils.data import Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class D(Dataset):
    def __getitem__(self, i):
        return self.x[i].to(device)
