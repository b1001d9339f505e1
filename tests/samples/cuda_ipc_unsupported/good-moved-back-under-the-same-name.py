import torch
from torch.multiprocessing import Process, Queue


def work(model):
    print(model)


def validate(model, queue: Queue):
    model = model.cuda()
    print(model(torch.ones(1).cuda()))
    model = model.to("cpu")
    Process(target=work, args=(model,)).start()
    other = torch.nn.Linear(1, 1).cuda()
    other.cpu()
    other.share_memory()
