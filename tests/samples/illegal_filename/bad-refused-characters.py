import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter


def save(model, name, accuracy, epoch, loss, lr):
    torch.save(model, f"ckpt/{name}|{accuracy:.2f}.pth")
    with open(f"out/what?{name}.txt", "w") as file:
        file.write(name)
    run = f"lr:{lr}"
    os.makedirs(os.path.join("runs", run), exist_ok=True)
    torch.save(model, "epoch:%d_loss:%.3f.pt" % (epoch, loss))
    torch.save(model, "epoch:{}.pt".format(epoch))
    plt.savefig(f"results/{name}->{lr}.png")
    np.save("features/" + f'"{name}"' + ".npy", model)
    path = f"ckpt/best*{epoch}.pt"
    torch.save(model, path)
    writer = SummaryWriter(log_dir=f"runs/epoch:{epoch}")
    torch.save(model, Path("ckpt") / f"{name}<{epoch}>.pt")
