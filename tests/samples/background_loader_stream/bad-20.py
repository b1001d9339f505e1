import torch


class Feeder:
    def __init__(self, dataloader):
        self.batches = iter(dataloader)
        self.stream = torch.cuda.Stream()

    def __next__(self):
        with torch.cuda.stream(self.stream):
            return next(self.batches).cuda(non_blocking=True)
