from torch.utils.data import DataLoader

x = [b for b in DataLoader(ds, num_workers=2)]
