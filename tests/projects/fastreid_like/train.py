"""The script is guarded; its process group asks for NCCL."""

import argparse

import torch.distributed as dist
from data import PrefetchingLoader


def build_loader(dataset, workers):
    return PrefetchingLoader(local_rank=0, dataset=dataset, batch_size=64, num_workers=workers, pin_memory=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=8)
    args = parser.parse_args()
    dist.init_process_group(backend="NCCL", init_method="tcp://127.0.0.1:23456", rank=0, world_size=1)
    for batch in build_loader(range(1000), args.workers):
        print(batch)


if __name__ == "__main__":
    main()
