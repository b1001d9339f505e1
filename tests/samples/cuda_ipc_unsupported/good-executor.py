from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def save(path, image):
    print(path, image.shape)


def predict(loader, model):
    with ProcessPoolExecutor(4) as executor, ThreadPoolExecutor(4) as threads:
        for image, path in loader:
            image = image.cuda()
            executor.submit(save, path, image.cpu())
            threads.submit(save, path, image)
