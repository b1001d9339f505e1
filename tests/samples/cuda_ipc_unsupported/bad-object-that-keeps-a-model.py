from concurrent.futures import ProcessPoolExecutor

import torch


class Encoder:
    def __init__(self, where):
        self.model = torch.nn.Linear(2, 2)
        self.model.to(where).eval()


class Vocoder:
    def __init__(self, path, device=None):
        self.device = device
        self.load(path, self.device)

    def load(self, path, device):
        model = torch.load(path).to(device)
        self.model = model.eval()


class Pipeline:
    def __init__(self, device):
        self.encoder = Encoder(torch.device(device))


def load_model(path, device):
    model = torch.load(path)
    model.to(device)
    return model, path


def work(value):
    print(value)


if __name__ == "__main__":
    device = torch.device("cuda")
    with ProcessPoolExecutor(2) as pool:
        pool.submit(work, Vocoder("model.pt", device=device))
        pool.submit(work, Encoder(device))
        pool.submit(work, Pipeline(device="cuda"))
        pool.submit(work, load_model("model.pt", device=device))
