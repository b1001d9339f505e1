import argparse
import math
from multiprocessing import Pool, Process

from datatrove.executor import SlurmPipelineExecutor
from joblib import Parallel, delayed


class Encoder:
    def __init__(self, workers):
        self.workers = workers

    def encode(self, paths):
        with Pool(self.workers) as pool:
            return pool.map(print, paths)


def start(paths, workers):
    size = math.ceil(len(paths) / workers)
    for first in range(0, len(paths), size):
        Process(target=print, args=(paths[first : first + size],)).start()


parser = argparse.ArgumentParser()
parser.add_argument("--num_workers", type=int, default=24)
parser.add_argument("--n_worker", type=int, default=24)
parser.add_argument("--workers", type=int, default=50, help="Number of SLURM tasks.")
parser.add_argument("--data-workers", type=int, default=16)
parser.add_argument("--io_workers", type=int, default=16)
if __name__ == "__main__":
    args = parser.parse_args()
    num_workers = args.num_workers
    if num_workers > 1:
        print(f"Begin with {num_workers} workers")
    with Pool(num_workers) as pool:
        pool.map(abs, range(9))
    Encoder(workers=args.n_worker).encode([])
    start([], int(args.data_workers))
    SlurmPipelineExecutor(tasks=args.workers, workers=args.workers).run()
    kwargs = {"tasks": args.io_workers, "num_workers": args.io_workers}
    Parallel(n_jobs=args.io_workers)(delayed(print)() for _ in kwargs)
