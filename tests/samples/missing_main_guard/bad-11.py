from torch.utils.data import DataLoader
from engine import train_one_epoch

l = DataLoader(ds, num_workers=4)
for e in range(3):
    train_one_epoch(model, opt, l)
