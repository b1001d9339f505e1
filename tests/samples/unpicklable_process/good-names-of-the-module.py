import argparse
from multiprocessing import Pool, Process
from multiprocessing.pool import ThreadPool

import numpy as np

TABLE = {"a": 1}
options = None
if TABLE:
    steps = [1]
for number in range(3):
    pass


def prepare(value):
    global shared
    shared = value


def fill():
    global filled
    filled = 1


def work(name):
    print(TABLE[name], options, steps, number, np.pi, shared, __file__)


def lazy(name):
    fill()
    print(filled, name)


class Filler:
    def run(self):
        fill_again()


def fill_again():
    global again
    again = 2


def through_class(name):
    Filler().run()
    print(again, name)


def local(name, args=None):
    table = name
    print([item for item in table], args)


def sometimes(name):
    if name == "debug":
        print(args)
    return name


def careful(name):
    try:
        return args.name
    except NameError:
        return name


def read(name):
    print(args.name, name)


def set_scale(value):
    global scale
    scale = value


def multiply(number):
    return number * scale


def multiply_all(numbers):
    with Pool(2) as pool:
        return pool.map(multiply, numbers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    table = {"a": 2}
    shared = {"a": 3}
    item = again = filled = 0
    with Pool(2, initializer=prepare, initargs=(shared,)) as pool:
        for function in (work, lazy, through_class):
            pool.map(function, ["a"])
        pool.map(work, ["a"])
        pool.map(lazy, ["a"])
        pool.map(through_class, ["a"])
        pool.map(local, ["a"])
        pool.map(sometimes, ["a"])
        pool.map(careful, ["a"])
    with ThreadPool(2) as threads:
        threads.map(read, ["a"])
    Process(target=local, args=(table, args)).start()
    read("a")
