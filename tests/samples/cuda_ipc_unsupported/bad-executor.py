from concurrent import futures
from concurrent.futures import ProcessPoolExecutor

import torch


def save(path, image):
    print(path, image.shape)


def predict(loader):
    with ProcessPoolExecutor(4) as executor:
        for image, path in loader:
            image = image.cuda()
            executor.submit(save, path, image)


if __name__ == "__main__":
    mask = torch.zeros(3).cuda()
    pool = futures.ProcessPoolExecutor(2)
    pool.submit(save, "a", mask)
