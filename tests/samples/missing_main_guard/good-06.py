import platform
from torch.utils.data import DataLoader

workers = 0 if platform.system() == "Windows" else 4
for x in DataLoader(ds, num_workers=workers):
    pass
