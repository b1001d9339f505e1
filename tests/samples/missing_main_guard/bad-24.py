from torch.utils.data import DataLoader

loader = DataLoader(ds, num_workers=2)
model.fit(loader)
