from torch.utils.data import DataLoader
from config import cfg


class Cfg:
    workers = 4


l = DataLoader(ds, num_workers=Cfg.workers)
for b in l:
    pass
