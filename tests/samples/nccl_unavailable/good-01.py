import torch.distributed as dist

if dist.get_backend() == "nccl":
    backend_ok = 1
