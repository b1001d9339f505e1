import torch.distributed as dist


def start(world_size, num_gpu):
    if world_size == 1:
        return
    dist.init_process_group("nccl")


def check(num_gpu):
    if num_gpu > 1:
        dist.init_process_group(backend="NCCL")
