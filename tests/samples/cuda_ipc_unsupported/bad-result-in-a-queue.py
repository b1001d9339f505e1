import torch
import torch.multiprocessing as mp


def work(queue, model):
    queue.put(model(torch.zeros(3).cuda()))


def main():
    queue = mp.Queue()
    mp.Process(target=work, args=(queue, "x")).start()


if __name__ == "__main__":
    main()
