import torch.distributed as dist, platform

if platform.system() == "Windows":
    dist.init_process_group("gloo")
else:
    dist.init_process_group("nccl")
