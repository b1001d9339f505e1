from multiprocess import Pool, Process


def start(scale):
    Process(target=lambda: scale).start()
    with Pool(2, initializer=lambda: None) as pool:
        pool.map(lambda value: value * scale, [1])
