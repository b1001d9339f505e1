import datetime

import torch


def save(model):
    torch.save(model, f"model_{datetime.datetime.now().time()}.pt")
