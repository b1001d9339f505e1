from datetime import datetime
import torch

torch.save(m, "model_{}.pth".format(datetime.now()))
