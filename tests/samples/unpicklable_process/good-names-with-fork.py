import multiprocessing as mp
import sys


def work(name):
    print(table[name])


if __name__ == "__main__":
    table = {"a": 1}
    if sys.platform == "win32":
        print(table["a"])
    else:
        with mp.get_context("fork").Pool(2) as pool:
            pool.map(work, ["a"])
