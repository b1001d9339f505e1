import torch


class Prefetcher:
    def __init__(self, loader):
        self.moves = torch.cuda.is_available()
        if self.moves:
            self.stream = torch.cuda.Stream()
        self.loader = iter(loader)
