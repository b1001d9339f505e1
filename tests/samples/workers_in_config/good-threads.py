import argparse
import threading
from concurrent.futures import ThreadPoolExecutor


def run(num_workers, loud=False):
    for _ in range(num_workers):
        threading.Thread(target=print).start()


def shard(paths, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(print, paths))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-workers", type=int, default=32)
    parser.add_argument("--shard-workers", type=int, default=16)
    args = parser.parse_args()
    run(args.num_workers, loud=True)
    shard([], jobs=args.shard_workers)
