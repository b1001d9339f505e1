import torch.multiprocessing as mp


def w(m):
    pass


if __name__ == "__main__":
    model = Net().cuda()
    model.share_memory()
    p = mp.Process(target=w, args=(model,))
