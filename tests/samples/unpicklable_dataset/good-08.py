import torch, functools
from torch.utils.data import DataLoader


def c(b, pad):
    return b


l = DataLoader(ds, collate_fn=functools.partial(c, pad=1), num_workers=4)
s = torch.optim.lr_scheduler.LambdaLR(o, lambda e: e)
