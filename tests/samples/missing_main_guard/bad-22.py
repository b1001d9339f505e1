from torch.utils.data import DataLoader

try:
    for x in DataLoader(ds, num_workers=2):
        pass
except KeyboardInterrupt:
    pass
