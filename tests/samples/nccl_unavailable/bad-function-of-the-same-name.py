import torch.distributed as dist


def init_process_group(rank, world_size, dist_backend="nccl"):
    dist.init_process_group(backend=dist_backend, rank=rank, world_size=world_size)
