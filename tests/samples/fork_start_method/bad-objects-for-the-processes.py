import multiprocessing

import torch.multiprocessing as mp


def start(work, agent, count):
    mp.start_processes(work, args=(count, agent), nprocs=count, join=False, start_method="fork")
    mp.start_processes(work, args=(1, "a"), nprocs=count, start_method="fork")


def start_each(work, queue):
    context = multiprocessing.get_context("fork")
    context.Process(target=work, args=(queue,)).start()
