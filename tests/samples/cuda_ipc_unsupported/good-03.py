import torch, torch.multiprocessing as mp


def w(q, dev):
    x = torch.ones(3).cuda()
    q.put(x.cpu())


if __name__ == "__main__":
    q = mp.Queue()
    mp.Process(target=w, args=(q, 0)).start()
