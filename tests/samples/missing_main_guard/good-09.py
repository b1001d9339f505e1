from torch.utils.data import DataLoader
from config import cfg

l = DataLoader(ds, num_workers=cfg.workers)
for b in l:
    pass
