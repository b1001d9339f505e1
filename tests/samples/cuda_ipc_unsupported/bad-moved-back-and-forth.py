import torch
from torch.multiprocessing import Queue


def send():
    queue = Queue()
    values = torch.zeros(3).cuda()
    values = values.cpu()
    values = values.cuda()
    queue.put(values)
    other = torch.zeros(3).cuda()
    if len(other) > 5:
        other = other.cpu()
    queue.put(other)
