from torch.utils.data import DataLoader

l = DataLoader(ds, collate_fn=lambda x: x)
