from torch.utils.data import DataLoader

loaders = {"train": DataLoader(a, num_workers=4), "val": DataLoader(b, num_workers=4)}


def train(model):
    for phase in ["train", "val"]:
        for x, y in loaders[phase]:
            pass


train(m)
