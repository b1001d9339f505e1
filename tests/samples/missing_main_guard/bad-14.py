from torch.utils.data import DataLoader

kw = {"num_workers": 1, "pin_memory": True} if torch.cuda.is_available() else {}
l = DataLoader(ds, **kw)


def train():
    for x in l:
        pass


for e in range(3):
    train()
