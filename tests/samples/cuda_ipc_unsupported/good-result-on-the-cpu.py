import torch
import torch.multiprocessing as mp


def work(queue, model, metric):
    queue.put(model(torch.zeros(3).cuda()).cpu())
    queue.put(metric(torch.zeros(3).cuda()))


def main():
    queue = mp.Queue()
    mp.Process(target=work, args=(queue, "x", "y")).start()


if __name__ == "__main__":
    main()
