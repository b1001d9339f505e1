import os
from torch.utils.data import DataLoader

nw = 4
if os.name == "nt":
    nw = 0
for x in DataLoader(ds, num_workers=nw):
    pass
