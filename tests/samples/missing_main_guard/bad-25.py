from torch.utils.data import DataLoader

while True:
    for b in DataLoader(ds, num_workers=2):
        pass
