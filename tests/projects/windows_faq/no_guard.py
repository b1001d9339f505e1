import torch

dataset = torch.utils.data.TensorDataset(torch.arange(100))
dataloader = torch.utils.data.DataLoader(dataset, batch_size=10, num_workers=2)


def train():
    for batch in dataloader:
        print(batch)


train()
