import glob
import os
import sqlite3

import fsspec
import numpy as np
import torch


def save(model, name, drive, epoch, buffer, df):
    for path in glob.glob(f"ckpt/*{name}?.pth"):
        torch.load(path)
    print(f"a|b {name}?.pt")
    torch.save(model, f"C:/data/{name}.pt")
    torch.save(model, f"{drive}:\\data.pt")
    torch.save(model, f"\\\\?\\C:\\data\\{name}.pt")
    torch.save(model, f"{drive}:{name}.pt")
    torch.save(model, f"hdfs://host/{name}?{epoch}.pt")
    torch.save(model, f"{name}_{epoch:03d}.pt")
    torch.save({f"a|{name}": model}, "model.pt")
    np.save(buffer, model)
    df.to_csv(f"{name}.csv", sep="|")
    os.makedirs(f"runs/{name}".replace("|", "_"))
    run = f"lr|{name}"
    run = run.replace("|", "_")
    os.makedirs(f"runs/{run}")
    open(f"https://host/a?b={name}.json")
    open(f"data/{name}?.json")
    fsspec.open(f"s3://bucket/{name}|x", "w")
    sqlite3.connect(f"file:{name}.db?mode=ro", uri=True)
    torch.hub.load(f"org/repo:{name}", "model")
    if os.name != "nt":
        torch.save(model, f"{name}|{epoch}.pt")
    try:
        torch.save(model, f"{name}:{epoch}.pt")
    except OSError:
        torch.save(model, f"{name}-{epoch}.pt")
