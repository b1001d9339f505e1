import argparse
import os

import click
import fire
from torch.utils.data import DataLoader


@click.command()
@click.option("--num-workers", type=int, default=8)
@click.option("--unread-workers", type=int, default=8)
def train(num_workers, unread_workers):
    if os.name == "nt":
        num_workers = 0
    return DataLoader([1], num_workers=num_workers)


def serve(workers=8):
    return DataLoader([1], num_workers=workers)


def download(num_workers=2, worker_timeout=60):
    return DataLoader([1], num_workers=num_workers, timeout=worker_timeout)


if __name__ == "__main__":
    fire.Fire(download)
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker_port", type=int, default=9000)
    parser.add_argument("--worker", type=int, default=9000)
    parser.add_argument("--num_workers", type=int, default=5)
    args = parser.parse_args()
    print(DataLoader([args.worker_port], num_workers=args.worker), DataLoader([1], num_workers=args.num_workers))
