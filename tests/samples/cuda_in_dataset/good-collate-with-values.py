from functools import partial

import torch
from torch.utils.data import DataLoader


def collate(batch, model=None, device=None):
    return model(torch.stack(batch))


class Collate:
    def __init__(self, model, device):
        self.model = model
        self.device = device

    def __call__(self, batch):
        return self.model(torch.stack(batch))

    def move(self, batch):
        return batch.to(self.device)


class Pad:
    def __init__(self, device):
        self.device = torch.device("cpu")

    def __call__(self, batch):
        return torch.stack(batch).to(self.device)


def main():
    data = [torch.ones(2)]
    device = torch.device("cuda")
    model = torch.nn.Linear(2, 2)
    on_cuda = torch.nn.Linear(2, 2).to(device)
    loader = DataLoader(data, num_workers=2, collate_fn=partial(collate, model=model, device=device))
    DataLoader(data, num_workers=0, collate_fn=partial(collate, model=on_cuda))
    collator = Collate(model, device)
    DataLoader(data, num_workers=2, collate_fn=collator)
    DataLoader(data, num_workers=2, collate_fn=Pad(device))
    for batch in loader:
        on_cuda(collator.move(batch))


if __name__ == "__main__":
    main()
