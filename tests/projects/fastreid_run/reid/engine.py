import torch
from torch import nn

from reid.data import Faces, make_batches
from reid.loader import StreamLoader


class Trainer:
    def __init__(self, workers, iterations):
        torch.manual_seed(0)
        dataset = Faces()
        self.loader = StreamLoader(
            0, dataset=dataset, num_workers=workers, batch_sampler=make_batches(dataset)
        )
        self.device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
        self.model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 16 * 8, 4)).to(self.device)
        self.optimiser = torch.optim.SGD(self.model.parameters(), lr=0.0005)
        self.iterations = iterations
        self.losses = []

    def train(self):
        batches = iter(self.loader)
        for _ in range(self.iterations):
            batch = next(batches)
            loss = nn.functional.cross_entropy(self.model(batch["images"]), batch["targets"])
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            self.losses.append(loss.item())
