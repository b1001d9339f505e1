from torch.utils.data import DataLoader

loaders = {x: DataLoader(d[x], num_workers=4) for x in ["a", "b"]}
inputs, classes = next(iter(loaders["a"]))
