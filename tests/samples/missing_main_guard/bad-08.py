import torch.multiprocessing as mp


def main(r):
    pass


mp.spawn(main, nprocs=2)
