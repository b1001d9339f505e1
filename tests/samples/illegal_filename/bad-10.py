import time

import torch


def save(model, name=None):
    if name is None:
        prefix = "checkpoints/" + model.name + "_"
        name = time.strftime(prefix + "%m%d_%H:%M:%S.pth")
    torch.save(model.state_dict(), name)
