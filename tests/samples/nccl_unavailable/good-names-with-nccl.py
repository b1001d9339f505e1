import os

import torch.distributed as dist

# The backend "nccl" is for Linux.
os.environ["NCCL_DEBUG"] = "INFO"


def describe(backend):
    if backend == "nccl" or dist.get_backend() == dist.Backend.NCCL:
        print("nccl_net", "ranking_backend", backend)
    return {"nccl": "backend"}
