import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import Pool, Process

LIMIT = 2


def read(path):
    with open(path) as file:
        return file.read() * args.times


def job(path, scale=1):
    if scale:
        print(read(path), scale)


def convert(path):
    try:
        text = read(path)
        with open(f"{target}/{path}", "w") as file:
            file.write(text[:LIMIT])
    except Exception as error:
        print(error)


def show(path):
    for key in settings:
        print(key, path)


def load():
    global settings
    settings = {"a": 1}


def run():
    global names
    names = ["a"]
    Process(target=serve, args=(1,)).start()


def serve(number):
    return names[number]


def main(paths):
    load()
    with ProcessPoolExecutor(2) as pool:
        pool.submit(show, paths[0])
    run()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int)
    args = parser.parse_args()
    target = "out"
    with Pool(2) as pool:
        pool.map(read, ["a"])
        pool.imap(partial(convert), ["a"])
        pool.map(job, ["a"])
    main(["a"])
