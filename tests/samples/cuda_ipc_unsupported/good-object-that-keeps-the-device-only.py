from concurrent.futures import ProcessPoolExecutor

import torch
from elsewhere import Reader


class Vocoder:
    def __init__(self, path, device=None):
        if device is None:
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self.path = path
        self.device = torch.device(device)
        self.model = None

    def run(self, audio):
        if self.model is None:
            self.model = torch.load(self.path).to(self.device)
        return self.model(audio)


def embed(audio, device):
    return (audio.to(device) * 2).cpu()


def work(vocoder, reader, features):
    print(vocoder, reader, features)


if __name__ == "__main__":
    device = torch.device("cuda")
    vocoder = Vocoder("model.pt", device=device)
    reader = Reader("model.pt", device=device)
    with ProcessPoolExecutor(2) as pool:
        pool.submit(work, vocoder, reader, embed(torch.ones(2), device=device))
