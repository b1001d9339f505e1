import torch, torch.multiprocessing as mp


def run(rank, data):
    pass


if __name__ == "__main__":
    data = load().to("cuda:0")
    mp.spawn(run, args=(data,), nprocs=2)
