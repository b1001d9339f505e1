import torch.distributed as dist

nccl_ok = dist.is_nccl_available()
dist_backend = "nccl"
