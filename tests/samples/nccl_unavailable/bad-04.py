import torch.distributed as dist


def init(rank, world, backend="nccl"):
    dist.init_process_group(backend)
