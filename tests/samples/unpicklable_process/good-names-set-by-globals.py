from multiprocessing import Pool

globals().update(dict.fromkeys(["table"], 1))


def work(name):
    print(table, name)


if __name__ == "__main__":
    table = 2
    with Pool(2) as pool:
        pool.map(work, ["a"])
