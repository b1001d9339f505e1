import torch.distributed as dist


def init_process_group(rank, dist_backend="nccl"):
    dist.init_process_group(backend=dist_backend, rank=rank)


init_process_group(0)
