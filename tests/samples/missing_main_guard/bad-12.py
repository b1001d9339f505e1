from torch.utils.data import DataLoader
import torch

l = torch.utils.data.DataLoader(ds, 32, True, num_workers=4)
it = iter(l)
