import torch
import torch.multiprocessing as mp


def work(queue, size):
    send(queue, torch.zeros(size, device="cuda"))


def send(queue, tensor):
    queue.put(tensor)


def main():
    queue = mp.Queue()
    mp.Process(target=send, args=(queue, 3)).start()
    work(queue, 3)


if __name__ == "__main__":
    main()
