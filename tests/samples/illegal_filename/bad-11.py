import os
import time
from datetime import datetime
from pathlib import Path

import torch


def save(model, folder, epoch):
    now = time.strftime("%m%d_%H:%M")
    torch.save(model.state_dict(), os.path.join(folder, "_".join([model.name, now, str(epoch)]) + ".pth"))


def log_folder(root, name):
    started = datetime.now().strftime("%Y-%m-%d_%H:%M:%S")
    return Path(root, name, started)
