import functools

import torch
from torch.utils.data import DataLoader


def collate(batch, model):
    return model(torch.stack(batch))


def move(batch, device):
    return torch.stack(batch).to(device)


class Collate:
    def __init__(self, tokenizer, model=None):
        self.tokenizer = tokenizer
        self.model = model

    def __call__(self, batch):
        return self.model(torch.stack(batch))


class Mover:
    def __init__(self, where):
        self.where = torch.device(where)

    def __call__(self, batch):
        return torch.stack(batch, 0).to(self.where)


class Encoder:
    def __init__(self, device):
        self.net = torch.nn.Linear(2, 2).to(device)

    def __call__(self, batch):
        return self.net(torch.stack(batch))


def main():
    data = [torch.ones(2)]
    device = torch.device("cuda")
    model = torch.nn.Linear(2, 2).to(device)
    DataLoader(data, num_workers=2, collate_fn=functools.partial(collate, model=model))
    DataLoader(data, num_workers=2, collate_fn=functools.partial(move, device=device))
    collate_all = Collate(str.split, model)
    DataLoader(data, num_workers=2, collate_fn=collate_all)
    DataLoader(data, num_workers=2, collate_fn=Mover(device))
    DataLoader(data, num_workers=2, collate_fn=Encoder(device))


if __name__ == "__main__":
    main()
