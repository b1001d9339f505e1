from torch.utils.data import DataLoader

l = DataLoader(ds, num_workers=4)
print(len(l), l.dataset)
