import torch
import torch.multiprocessing as mp


def consume(tensors):
    print(tensors.get().cuda().sum())


if __name__ == "__main__":
    tensors = mp.Queue()
    process = mp.Process(target=consume, args=(tensors,))
    process.start()
    tensors.put(torch.ones(8).cuda().cpu())
    process.join()
